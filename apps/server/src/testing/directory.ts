import type { Agent, Office } from '@roster/api';
import { expect } from 'vitest';
import type { TestServer } from '../testing.ts';

type Body = Record<string, unknown>;
interface Records {
  offices: Office;
  agents: Agent;
}
export type CollectionName = keyof Records;

export interface Page<Row> {
  items: Row[];
  nextCursor?: string;
  total?: number;
}

/** The body of an answer that has one. */
export async function bodyOf<Value = Body>(response: Response): Promise<Value> {
  return (await response.json()) as Value;
}

async function successful<Value>(answer: Promise<Response>): Promise<Value> {
  const response = await answer;
  const body = await response.text();
  expect(response.ok, `${response.status} ${body}`).toBe(true);
  return (body === '' ? undefined : JSON.parse(body)) as Value;
}

let count = 0;
/** A number no other record of this file has. */
export function next(): number {
  count += 1;
  return count;
}

/** What a test does to set its scene: every call must succeed, and answers the record. */
export function directoryOf(server: Pick<TestServer, 'request'>) {
  const { request } = server;
  return {
    office: (body: Body = {}) =>
      successful<Office>(request('POST', '/offices', { name: `Office ${next()}`, ...body })),
    agent: (body: Body = {}) =>
      successful<Agent>(
        request('POST', '/agents', { firstName: 'Ana', lastName: `Silva ${next()}`, ...body }),
      ),
    get: <Name extends CollectionName>(collection: Name, id: string) =>
      successful<Records[Name]>(request('GET', `/${collection}/${id}`)),
    patch: <Name extends CollectionName>(collection: Name, id: string, body: Body) =>
      successful<Records[Name]>(request('PATCH', `/${collection}/${id}`, body)),
    put: <Name extends CollectionName>(collection: Name, id: string, transition: string, body?: Body) =>
      successful<Records[Name]>(request('PUT', `/${collection}/${id}/${transition}`, body)),
    remove: (collection: CollectionName, id: string) =>
      successful<undefined>(request('DELETE', `/${collection}/${id}`)),
    list: <Name extends CollectionName>(collection: Name, query = '') =>
      successful<Page<Records[Name]>>(request('GET', `/${collection}?${query}`)),
  };
}
