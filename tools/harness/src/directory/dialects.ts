import type { Operation } from './operations.ts';
import { PAGE } from './operations.ts';

/** A request before it is text. */
interface Message {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
}

type Json = Record<string, unknown>;

/** How a contestant is spoken to, and how its answer is read. */
export interface Dialect {
  messageOf(operation: Operation): Message;
  /** The records of an answer, as the API of ours shows them. */
  recordsOf(operation: Operation, answer: unknown): Json[];
}

const LIST = { limit: PAGE, status: 'active', sort: 'lastName' };

const itemsOf = (page: unknown) => (page as { items: Json[] }).items;

export const rest: Dialect = {
  messageOf(operation) {
    switch (operation.kind) {
      case 'get':
        return { method: 'GET', path: `/agents/${operation.id}` };
      case 'list':
        return {
          method: 'GET',
          path: `/agents?limit=${PAGE}&status=active&region=${operation.region}&sort=lastName`,
        };
      case 'search':
        return { method: 'GET', path: `/agents?q=${encodeURIComponent(operation.q)}&limit=${PAGE}` };
      case 'create':
        return { method: 'POST', path: '/agents', body: operation.agent };
      case 'patch': {
        const headers = { 'If-Match': `"${operation.version}"` };
        return {
          method: 'PATCH',
          path: `/agents/${operation.id}`,
          headers,
          body: { title: operation.title },
        };
      }
      case 'batch':
        throw new Error('REST has no batches');
    }
  },
  recordsOf: ({ kind }, answer) =>
    kind === 'list' || kind === 'search' ? itemsOf(answer) : [answer as Json],
};

const input = (value: unknown) => encodeURIComponent(JSON.stringify(value));

export const rpc: Dialect = {
  messageOf(operation) {
    switch (operation.kind) {
      case 'get':
        return { method: 'GET', path: `/trpc/agents.get?input=${input({ id: operation.id })}` };
      case 'list': {
        const filter = { ...LIST, region: operation.region };
        return { method: 'GET', path: `/trpc/agents.list?input=${input(filter)}` };
      }
      case 'create':
        return { method: 'POST', path: '/trpc/agents.create', body: operation.agent };
      case 'batch': {
        const procedures = operation.ids.map(() => 'agents.get').join(',');
        const inputs = Object.fromEntries(operation.ids.map((id, index) => [index, { id }]));
        return { method: 'GET', path: `/trpc/${procedures}?batch=1&input=${input(inputs)}` };
      }
      default:
        throw new Error(`no work asks for ${operation.kind} by RPC`);
    }
  },
  recordsOf({ kind }, answer) {
    const dataOf = (one: unknown) => (one as { result: { data: Json } }).result.data;
    if (kind === 'batch') return (answer as unknown[]).map(dataOf);
    return kind === 'list' ? itemsOf(dataOf(answer)) : [dataOf(answer)];
  },
};

/** What Roster speaks, and the peer that is wired from the same libraries, by the protocol of a work. */
export const rosterDialects = { rest, rpc };

/** The text of a request on a keep-alive connection. */
export function textOf({ method, path, headers = {}, body }: Message, key: string): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const all: Record<string, string> = { Host: '127.0.0.1', Authorization: `Bearer ${key}`, ...headers };
  if (body !== undefined) {
    all['Content-Type'] = 'application/json';
    all['Content-Length'] = String(Buffer.byteLength(text));
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`;
}
