import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
/** The same message in the version of the protocol that names itself in each message. */
function enveloped(version: string) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return { ...list, params: { _meta } };
}
const current = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' };

interface Sent {
  body: unknown;
  headers?: Record<string, string>;
}

/** What is wrong with each message, and the status and code it gets. */
const rows: [status: number, code: number, what: string, sent: Sent][] = [
  [400, -32700, 'the body is no JSON', { body: '{' }],
  [400, -32600, 'it is no message, is a batch', { body: [list] }],
  [
    404,
    -32601,
    'the method is unknown',
    {
      body: { ...enveloped('2026-07-28'), method: 'nothing' },
      headers: { ...current, 'Mcp-Method': 'nothing' },
    },
  ],
  [400, -32022, 'the message names a version', { body: enveloped('1999-01-01') }],
  [400, -32020, '`MCP-Protocol-Version` is not the version', { body: enveloped('2026-07-28') }],
  [400, -32602, '`MCP-Protocol-Version` names a version later', { body: list, headers: current }],
  [
    400,
    -32000,
    '`MCP-Protocol-Version` names an earlier version',
    { body: list, headers: { 'MCP-Protocol-Version': '1999-01-01' } },
  ],
  [
    406,
    -32000,
    'in the version 2025-11-25, `Accept`',
    { body: list, headers: { Accept: 'application/json', 'MCP-Protocol-Version': '2025-11-25' } },
  ],
  [403, -32000, '`Host` or `Origin`', { body: list, headers: { Origin: 'http://evil.example' } }],
];

it.each(rows)('%i with the error %i if %s', async (status, code, _, { body, headers }) => {
  const accept = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' };
  const response = await server.request('POST', '/mcp', body, { ...accept, ...headers });
  const text = await response.text();
  expect(response.status, text).toBe(status);
  expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', error: { code } });
});
