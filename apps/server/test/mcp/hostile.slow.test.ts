import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectedClient, errorOf } from '../support/http/mcp-client.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const accept = { Accept: 'application/json, text/event-stream' };

async function send(body: unknown, headers: Record<string, string> = {}, method = 'POST') {
  const response = await server.request(method, '/mcp', body, { ...accept, ...headers });
  const text = await response.text();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  const json = isStream ? text.replace(/^[\s\S]*?data: /, '') : text;
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    body: json && JSON.parse(json),
  };
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
};

describe('messages', () => {
  it.each([
    ['not JSON', '{', -32_700],
    ['nothing', '', -32_700],
    ['not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), -32_700],
    ['a batch', [initialize, initialize], -32_600],
    ['a number', '1', -32_600],
    ['null', 'null', -32_600],
    ['deep nesting', `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, -32_600],
    ['a reserved name', '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":{}}}', -32_600],
  ])('of %s get the error of JSON-RPC', async (_, body, code) => {
    const result = await send(body, { 'Content-Type': 'application/json' });
    expect(result).toMatchObject({
      status: 400,
      type: expect.stringContaining('application/json'),
      body: { jsonrpc: '2.0', id: null, error: { code, message: expect.any(String) } },
    });
  });

  it('without a method or a version of JSON-RPC are invalid', async () => {
    for (const body of [
      { id: 1 },
      { jsonrpc: '1.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: 1, method: 7 },
    ]) {
      const { status, body: result } = await send(body);
      expect(status).toBe(400);
      expect([-32_600, -32_700]).toContain(result.error.code);
    }
  });

  it('of an unknown method get -32601, in both versions', async () => {
    const old = await send({ jsonrpc: '2.0', id: 7, method: 'records/drop', params: {} });
    expect(old.body).toMatchObject({ id: 7, error: { code: -32_601 } });
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'records/drop' };
    const current = await send({ jsonrpc: '2.0', id: 8, method: 'records/drop', params: { _meta } }, headers);
    expect(current).toMatchObject({ status: 404, body: { id: 8, error: { code: -32_601 } } });
  });

  it('of an unknown version get the versions that are served', async () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2099-01-01',
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } };
    const { status, body } = await send(message, {
      'MCP-Protocol-Version': '2099-01-01',
      'Mcp-Method': 'tools/list',
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { code: -32_022, data: { supported: ['2026-07-28'] } } });
  });

  it('larger than the limit, of another type, without a key or by another method get the problem of any request', async () => {
    const codeOf = async (...args: Parameters<typeof send>) => {
      const { status, type, body } = await send(...args);
      expect(type).toContain('application/problem+json');
      return [status, body.code];
    };
    expect(await codeOf(`{"a":"${'x'.repeat(300_000)}"}`)).toEqual([413, 'payload_too_large']);
    expect(await codeOf('a=1', { 'Content-Type': 'text/plain' })).toEqual([415, 'unsupported_media_type']);
    expect(await codeOf(initialize, { Authorization: 'Bearer none' })).toEqual([401, 'unauthenticated']);
    expect(await codeOf(undefined, {}, 'GET')).toEqual([405, 'method_not_allowed']);
    expect(await codeOf(undefined, {}, 'DELETE')).toEqual([405, 'method_not_allowed']);
  });
});

describe('pages of other sites (DNS rebinding)', () => {
  it.each([
    [{ Origin: 'https://evil.example' }, 403],
    [{ Origin: 'null' }, 403],
    [{ Origin: 'http://127.0.0.1:1' }, 403],
    [{}, 200],
  ])('with %j get %i', async (headers, status) => {
    expect((await send(initialize, headers as Record<string, string>)).status).toBe(status);
  });

  it('may call it from the origins that may call the API, and from its own', async () => {
    const own = await send(initialize, { Origin: server.url });
    expect(own.status).toBe(200);
    await using second = await startTestServer({
      corsOrigins: ['https://app.example'],
      database: server.database,
    });
    const response = await second.request('POST', '/mcp', initialize, {
      ...accept,
      Origin: 'https://app.example',
    });
    expect(response.status).toBe(200);
  });
});

describe('tools', () => {
  it('bound what they are asked for', async () => {
    const client = await connectedClient(server);
    const manyValues = Array.from({ length: 501 }, () => ({}));
    for (const [tool, args] of [
      ['find_agents', { limit: 1_000_000 }],
      ['find_agents', { q: 'x'.repeat(10_000) }],
      ['find_agents', { skip: 1_000_000_000 }],
      ['history', { resource: 'agents', id: 'x', limit: 0 }],
      ['import_dry_run', { resource: 'agents', records: manyValues }],
      ['update', { resource: 'agents', id: 'x', changes: {} }],
      ['update', { resource: 'agents', id: 'x', changes: [] }],
      ['get_record', { resource: 'keys', id: 'x' }],
    ] as const)
      expect(await errorOf(client, tool, { ...args }), tool).toMatchObject({ code: 'validation_failed' });
    expect(await errorOf(client, 'find_agents', { cursor: 'forged' })).toMatchObject({
      code: 'invalid_cursor',
    });
  });

  it('cost as many requests as they call procedures', async () => {
    // With a database of its own: the servers of one divide the quota.
    await using limited = await startTestServer({ rateLimit: 30 });
    const client = await connectedClient(limited);
    const before = await limited.request('GET', '/agents?limit=1');
    const remaining = (response: Response) =>
      Number(/r=(\d+)/.exec(response.headers.get('RateLimit') ?? '')?.[1]);
    await errorOf(client, 'office_roster', { officeId: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11' });
    const after = await limited.request('GET', '/agents?limit=1');
    // Two procedures, and the request of this measurement.
    expect(remaining(before) - remaining(after)).toBe(3);
  });
});
