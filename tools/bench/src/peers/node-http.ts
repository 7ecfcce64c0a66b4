import { createServer, type IncomingMessage } from 'node:http';
import type { Body, ListQuery } from './agent.ts';
import { versionOf } from './agent.ts';
import { listen } from './start.ts';

/** What the two bare peers have in common: node:http and no more. Each answer is JSON text. */
export interface Operations {
  get(id: string): Promise<string | undefined>;
  list(query: ListQuery): Promise<string>;
  search(query: ListQuery & { q: string }): Promise<string>;
  create(body: Body): Promise<string>;
  /** Undefined where the record has another version. */
  update(id: string, version: number, body: Body): Promise<string | undefined>;
}

interface Answer {
  status: number;
  text: string;
}

const notFound: Answer = { status: 404, text: '{"title":"Not found"}' };
const conflict: Answer = { status: 412, text: '{"title":"Another version"}' };

async function bodyOf(request: IncomingMessage): Promise<Body> {
  let text = '';
  request.setEncoding('utf8');
  for await (const chunk of request) text += chunk;
  return JSON.parse(text) as Body;
}

function answer(text: string | undefined, otherwise: Answer): Answer {
  return text === undefined ? otherwise : { status: 200, text };
}

async function listed(operations: Operations, search: string): Promise<Answer> {
  const parameters = new URLSearchParams(search);
  const limit = Number(parameters.get('limit') ?? 50);
  const q = parameters.get('q');
  if (q !== null) return { status: 200, text: await operations.search({ limit, q }) };
  const status = parameters.get('status') ?? undefined;
  const region = parameters.get('region') ?? undefined;
  return { status: 200, text: await operations.list({ limit, status, region }) };
}

async function route(operations: Operations, request: IncomingMessage): Promise<Answer> {
  const { method, url = '/', headers } = request;
  if (url.startsWith('/agents/')) {
    const id = url.slice('/agents/'.length);
    if (method === 'GET') return answer(await operations.get(id), notFound);
    const version = versionOf(headers['if-match']);
    if (method === 'PATCH')
      return answer(await operations.update(id, version, await bodyOf(request)), conflict);
  }
  if (url === '/agents' && method === 'POST') {
    return { status: 201, text: await operations.create(await bodyOf(request)) };
  }
  if (url.startsWith('/agents?')) return listed(operations, url.slice('/agents?'.length));
  return notFound;
}

/** Serves the operations. */
export function serve(operations: Operations): void {
  const server = createServer((request, response) => {
    void route(operations, request)
      .catch((error: unknown): Answer => ({ status: 500, text: JSON.stringify({ title: String(error) }) }))
      .then(({ status, text }) => {
        const length = Buffer.byteLength(text);
        response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': length });
        response.end(text);
      });
  });
  listen(server);
}
