import { createServer, type IncomingMessage } from 'node:http';
import { type Body, type ListQuery, versionOf } from './agent.ts';
import { listen } from './start.ts';

/** What the two bare peers have in common: node:http and no more. Each response is JSON text. */
export interface Operations {
  get(id: string): Promise<string | undefined>;
  list(query: ListQuery): Promise<string>;
  create(body: Body): Promise<string>;
  /** Undefined where the record has another version. */
  update(id: string, version: number, body: Body): Promise<string | undefined>;
}

type Result = [status: number, text: string];

const notFound: Result = [404, '{"title":"Not found"}'];
const conflict: Result = [412, '{"title":"Another version"}'];
const result = (text: string | undefined, otherwise: Result): Result =>
  text === undefined ? otherwise : [200, text];

async function bodyOf(request: IncomingMessage): Promise<Body> {
  let text = '';
  request.setEncoding('utf8');
  for await (const chunk of request) text += chunk;
  return JSON.parse(text) as Body;
}

function queryOf(search: string): ListQuery {
  const { limit = 50, status, region, q } = Object.fromEntries(new URLSearchParams(search));
  return { limit: Number(limit), status, region, q };
}

async function route(operations: Operations, request: IncomingMessage): Promise<Result> {
  const { method, url = '/', headers } = request;
  if (url.startsWith('/agents?')) return [200, await operations.list(queryOf(url.slice('/agents?'.length)))];
  if (url === '/agents' && method === 'POST') return [201, await operations.create(await bodyOf(request))];
  if (!url.startsWith('/agents/')) return notFound;
  const id = url.slice('/agents/'.length);
  if (method === 'GET') return result(await operations.get(id), notFound);
  if (method !== 'PATCH') return notFound;
  const version = versionOf(headers['if-match']);
  return result(await operations.update(id, version, await bodyOf(request)), conflict);
}

/** Serves the operations. */
export function serve(operations: Operations): void {
  const server = createServer((request, response) => {
    void route(operations, request)
      .catch((error: unknown): Result => [500, JSON.stringify({ title: String(error) })])
      .then(([status, text]) => {
        const length = Buffer.byteLength(text);
        response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': length });
        response.end(text);
      });
  });
  listen(server);
}
