import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Responds to one request, or closes its connection. */
export type Responder = (request: IncomingMessage, response: ServerResponse) => void;

interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
}

export interface ScriptedServer extends AsyncDisposable {
  url: string;
  /** Every request so far, in the order of arrival. */
  requests: ReceivedRequest[];
}

/** Starts an HTTP server that uses one responder after the other, and the last one for all further requests. */
export async function scriptedServer(...responders: [Responder, ...Responder[]]): Promise<ScriptedServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const respond = responders[Math.min(requests.length, responders.length - 1)];
    requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
    request.resume().once('end', () => respond?.(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(
  response: ServerResponse,
  { status, body, headers = {} }: { status: number; body: unknown; headers?: Record<string, string> },
) {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** The same result for every call of a request, which may be a batch. */
function forEachCall({ url = '' }: IncomingMessage, result: unknown): unknown {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  return searchParams.has('batch') ? pathname.split(',').map(() => result) : result;
}

/** Succeeds with data. */
export function succeeds(data: unknown): Responder {
  return (request, response) =>
    send(response, { status: 200, body: forEachCall(request, { result: { data } }) });
}

/** Rejects a call as the service does. */
export function rejects(
  problem: Record<string, unknown> & { status: number },
  headers?: Record<string, string>,
): Responder {
  return (request, response) => {
    const data = { code: 'ANY', httpStatus: problem.status, problem };
    const error = { error: { message: String(problem.detail), code: -32_000, data } };
    send(response, {
      status: problem.status,
      body: forEachCall(request, error),
      ...(headers && { headers }),
    });
  };
}

/** Rejects a call with 503, as the service does. */
export function unavailable(headers?: Record<string, string>): Responder {
  const problem = {
    status: 503,
    code: 'unavailable',
    title: 'Unavailable',
    detail: 'Not now.',
    instance: '/',
    type: '/',
    requestId: 'r',
  };
  return rejects(problem, headers);
}

/** Closes the connection without a response. */
export const closesConnection: Responder = (request) => void request.socket.destroy();

/** Closes the connection during the body. */
export const closesDuringBody: Responder = (_request, response) => {
  response
    .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' })
    .write('{"result"');
  setTimeout(() => response.destroy(), 20);
};

/** Never responds. */
export const hangs: Responder = () => undefined;

/** Sends an event stream in chunks, and ends it or leaves it open. */
export function streams(chunks: string[], { isOpen = false }: { isOpen?: boolean } = {}): Responder {
  return (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
    for (const chunk of chunks) response.write(chunk);
    if (!isOpen) response.end();
  };
}

/** Rejects a REST request with a problem document. */
export function rejectsRest(
  problem: Record<string, unknown> & { status: number },
  headers: Record<string, string> = {},
): Responder {
  return (_request, response) => {
    const type = { 'Content-Type': 'application/problem+json' };
    response.writeHead(problem.status, { ...type, ...headers }).end(JSON.stringify(problem));
  };
}
