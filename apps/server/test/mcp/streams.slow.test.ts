import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectedClient } from '../support/http/mcp-client.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { requestsThatWait } from '../support/locks.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

/** Opens the stream of what the server announces. */
function listen(): Promise<Response> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const method = 'subscriptions/listen';
  const params = {
    notifications: {
      toolsListChanged: true,
      promptsListChanged: true,
      resourceSubscriptions: ['roster://agents/1'],
    },
    _meta,
  };
  return fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${server.key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
}

it('a stream of announcements is acknowledged and ends at once, as there are none', async () => {
  const stream = await listen();
  expect(stream.headers.get('content-type')).toContain('text/event-stream');
  const text = await stream.text();
  expect(text).toContain('notifications/subscriptions/acknowledged');
  expect(text).toContain('"resultType":"complete"');
});

it('a call that its client cancels is cancelled in the database, and writes nothing', async () => {
  const made = await server.request('POST', '/offices', { name: 'Casa' });
  const { id } = (await made.json()) as { id: string };
  const client = await connectedClient(server);
  const { db } = server.database;
  await db.transaction().execute(async (trx) => {
    await sql`select from office where id = ${id}::uuid for update`.execute(trx);
    const abort = new AbortController();
    const args = { resource: 'offices', id, changes: { phone: '+351210000001' }, dryRun: false };
    const call = client.callTool({ name: 'update', arguments: args }, { signal: abort.signal });
    const ended = expect(call).rejects.toThrow();
    await expect.poll(() => requestsThatWait(db)).toBe(1);
    abort.abort();
    await ended;
    await expect.poll(() => requestsThatWait(db)).toBe(0);
  });
  expect(await (await server.request('GET', `/offices/${id}`)).json()).toMatchObject({
    version: 1,
    phone: null,
  });
});
