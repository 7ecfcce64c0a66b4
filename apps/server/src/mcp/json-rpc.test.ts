import { expect, it } from 'vitest';
import { parseMessage } from './json-rpc.ts';

const parse = (message: object) => parseMessage(new TextEncoder().encode(JSON.stringify(message)));
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

it.each([
  ping,
  { ...ping, id: 'a', params: { _meta: { progressToken: 1 } } },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 1, result: {} },
  { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } },
])('takes a message of JSON-RPC: %j', (message) => {
  expect(parse(message)).toEqual(message);
});

it.each([
  [{ ...ping, extra: 1 }, 'extra is not a member of such a message'],
  [{ ...ping, result: {} }, 'result is not a member of such a message'],
  [{ ...ping, id: 1.5 }, 'id must be a text or a whole number'],
  [{ ...ping, id: null }, 'id must be a text or a whole number'],
  [{ ...ping, method: 5 }, 'method must be a text'],
  [{ ...ping, params: [] }, 'params must be an object'],
  [{ ...ping, jsonrpc: '1.0' }, 'jsonrpc must be "2.0"'],
  [{ jsonrpc: '2.0', id: 1 }, 'method is missing'],
])('names the part of %j that is wrong', (message, fault) => {
  expect(() => parse(message)).toThrow(
    expect.objectContaining({ status: 400, code: -32_600, message: `Invalid Request: ${fault}.` }),
  );
});
