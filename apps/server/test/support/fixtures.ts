import { type Agent, type Office, resourceNames, type Team } from '@roster/api';
import { records } from '@roster/contract/records';
import { expect } from 'vitest';
import type { TestServer } from './index.ts';

export type Body = Record<string, unknown>;
export interface Records {
  offices: Office;
  agents: Agent;
  teams: Team;
}
export type CollectionName = keyof Records;
export const collections: CollectionName[] = resourceNames;

export interface Page<Row> {
  items: Row[];
  nextCursor?: string;
  total?: number;
}

/** The JSON body of a response. */
export async function bodyOf<Value = Body>(response: Response): Promise<Value> {
  return (await response.json()) as Value;
}

async function successful<Value>(result: Promise<Response>): Promise<Value> {
  const response = await result;
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

/** The least that can be sent to create a record. */
export function smallest(collection: CollectionName): Body {
  return collection === 'agents'
    ? { firstName: 'Ana', lastName: `Silva ${next()}` }
    : { name: `${records[collection].singular} ${next()}` };
}

/** Whether the records of a resource have a field. */
export function hasField(collection: CollectionName, name: string): boolean {
  return records[collection].fields.some((field) => field.name === name);
}

/** Those of some fields that the records of a resource have. */
export function knownFields(collection: CollectionName, fields: Body): Body {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => hasField(collection, name)));
}

/** Prepares records for a test: every call must succeed, and returns the record. */
export function directoryOf(server: Pick<TestServer, 'request'>) {
  const { request } = server;
  const create = <Name extends CollectionName>(collection: Name, body: Body = {}) =>
    successful<Records[Name]>(request('POST', `/${collection}`, { ...smallest(collection), ...body }));
  return {
    create,
    office: (body?: Body) => create('offices', body),
    agent: (body?: Body) => create('agents', body),
    team: (body?: Body) => create('teams', body),
    get: <Name extends CollectionName>(collection: Name, id: string) =>
      successful<Records[Name]>(request('GET', `/${collection}/${id}`)),
    patch: <Name extends CollectionName>(collection: Name, id: string, body: Body) =>
      successful<Records[Name]>(request('PATCH', `/${collection}/${id}`, body)),
    put: <Name extends CollectionName>(collection: Name, id: string, transition: string, body?: Body) =>
      successful<Records[Name]>(request('PUT', `/${collection}/${id}/${transition}`, body)),
    /** Schedules the deactivation of an agent, in an hour unless given. Resolves to the id of the scheduled change. */
    schedule: async (id: string, inMs = 3_600_000): Promise<string> => {
      const effectiveAt = new Date(Date.now() + inMs).toISOString();
      const agent = await successful<Agent>(request('PUT', `/agents/${id}/deactivate`, { effectiveAt }));
      return agent.scheduledChanges[0]?.id ?? '';
    },
    remove: (collection: CollectionName, id: string) =>
      successful<undefined>(request('DELETE', `/${collection}/${id}`)),
    list: <Name extends CollectionName>(collection: Name, query = '') =>
      successful<Page<Records[Name]>>(request('GET', `/${collection}?${query}`)),
  };
}

/** A source that no other test imports from. */
export function newSource() {
  const name = `Source ${next()}`;
  return { name, of: (key: string) => ({ name, key }) };
}
