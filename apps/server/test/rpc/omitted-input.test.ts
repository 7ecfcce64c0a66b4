import { operations } from '@roster/api';
import { getUntypedClient } from '@trpc/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CallResult, problemOf } from '../support/calls.ts';
import { type Body, bodyOf } from '../support/fixtures.ts';
import { clientOf, type LinkName, links } from '../support/http/rpc-links.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

/** The queries that require nothing. */
const queries = operations
  .filter(({ type, input }) => type === 'query' && input.safeParse({}).success)
  .map(({ procedure }) => procedure);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.request('POST', '/offices', { name: 'Casa' });
});
afterAll(() => server[Symbol.asyncDispose]());

describe('a query that requires nothing', () => {
  it('is every list of the service, and its counts', () => {
    const lists = operations.map(({ procedure }) => procedure).filter((name) => name.endsWith('.list'));
    expect(queries).toEqual(expect.arrayContaining([...lists, 'stats.get']));
  });

  it.each(queries)('%s returns without an input what it does for an empty one', async (procedure) => {
    const [omitted, empty] = await Promise.all([
      server.request('GET', `/trpc/${procedure}`),
      server.request('GET', `/trpc/${procedure}?input=%7B%7D`),
    ]);
    expect(omitted.status).toBe(empty.status);
    const [given, expected] = await Promise.all([omitted, empty].map((one) => bodyOf<CallResult<Body>>(one)));
    expect(Object.keys(given?.result?.data ?? {})).toEqual(Object.keys(expected?.result?.data ?? {}));
    expect(given?.error?.data.code).toBe(expected?.error?.data.code);
  });

  it.each(Object.keys(links) as LinkName[])(
    'needs no input over %s of tRPC, beside calls that have one',
    async (link) => {
      const client = getUntypedClient(clientOf(link, server));
      const [all, none, stats] = await Promise.all([
        client.query('offices.list'),
        client.query('offices.list', { status: 'inactive' }),
        client.query('stats.get'),
      ]);
      expect(all).toMatchObject({ items: [{ name: 'Casa' }] });
      expect(none).toEqual({ items: [] });
      expect(stats).toMatchObject({ offices: { active: 1 } });
    },
  );
});

it('a subscription that requires nothing needs no input', async () => {
  const response = await server.request('GET', '/trpc/events.stream');
  await server.request('POST', '/offices', { name: 'Casa Nova' });
  let text = '';
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (/Casa Nova|serialized-error/.test(text)) break;
  }
  expect(text).toContain('Casa Nova');
});

it('a call without the input that it requires is told what is required, a query and a change alike', async () => {
  const query = await problemOf(await server.request('GET', '/trpc/offices.get'));
  expect(query).toMatchObject({ code: 'invalid_parameter', errors: [{ parameter: 'id', code: 'required' }] });
  const headers = { 'Content-Type': 'application/json' };
  const change = await problemOf(await server.request('POST', '/trpc/offices.create', undefined, headers));
  expect(change).toMatchObject({
    code: 'validation_failed',
    errors: [{ pointer: '#/name', code: 'required' }],
  });
});

it('null is no input that was left out', async () => {
  const response = await server.request('GET', '/trpc/stats.get?input=null');
  expect(await problemOf(response)).toMatchObject({ code: 'invalid_parameter' });
});
