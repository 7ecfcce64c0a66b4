import { operations, type Problem } from '@roster/api';
import { expect } from 'vitest';
import type { TestServer } from './index.ts';

/** A procedure and its input; a string is sent as it is, so that it need not be JSON. */
export type Call = [procedure: string, input: unknown];

/** The response to one call over RPC. */
export interface CallResult<Data = unknown> {
  result?: { data: Data };
  error?: { message: string; code: number; data: { code: string; httpStatus: number; problem: Problem } };
}

type Server = Pick<TestServer, 'request'>;
const typeOf = new Map(operations.map(({ procedure, type }) => [procedure, type]));

function textOf(input: unknown): string {
  return typeof input === 'string' ? input : JSON.stringify(input);
}

/** One call over RPC, as tRPC's own client sends it. */
export function call(
  { request }: Server,
  [procedure, input]: Call,
  headers: Record<string, string> = {},
): Promise<Response> {
  if (typeOf.get(procedure) === 'mutation')
    return request('POST', `/trpc/${procedure}`, textOf(input), headers);
  const query = `input=${encodeURIComponent(textOf(input))}`;
  return request('GET', `/trpc/${procedure}?${query}`, undefined, headers);
}

/** Several calls of one type in one request, as tRPC's batching client sends them. */
export function batch(
  { request }: Server,
  calls: readonly Call[],
  headers: Record<string, string> = {},
): Promise<Response> {
  const path = `/trpc/${calls.map(([procedure]) => procedure).join(',')}?batch=1`;
  const inputs = JSON.stringify(Object.fromEntries(calls.map(([, input], index) => [index, input])));
  if (typeOf.get(calls[0]?.[0] ?? '') === 'mutation') return request('POST', path, inputs, headers);
  return request('GET', `${path}&input=${encodeURIComponent(inputs)}`, undefined, headers);
}

/** The problem of a call that failed. Its parts must agree with each other and with the response. */
export async function problemOf(response: Response): Promise<Problem> {
  const { error } = (await response.json()) as CallResult;
  if (error === undefined) throw new Error('the call did not fail');
  const { httpStatus, problem } = error.data;
  expect([response.status, httpStatus]).toEqual([problem.status, problem.status]);
  expect(error.message).toBe(problem.detail);
  expect(response.headers.get('X-Request-Id')).toBe(problem.requestId);
  return problem;
}

/** The output of a call that succeeded. */
export async function dataOf<Data>(response: Response): Promise<Data> {
  const { result, error } = (await response.json()) as CallResult<Data>;
  if (result === undefined) throw new Error(`the call failed: ${error?.message}`);
  return result.data;
}
