import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server does with one request: answers it, or breaks it off. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
}

export interface ScriptedServer extends AsyncDisposable {
  url: string;
  /** Every request so far, in the order of arrival. */
  seen: Seen[];
}

/** A real HTTP server that gives one answer after the other, and the last one for ever. */
export async function scriptedServer(...answers: [Answer, ...Answer[]]): Promise<ScriptedServer> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const answer = answers[Math.min(seen.length, answers.length - 1)];
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
    request.resume().once('end', () => answer?.(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
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

/** The same result for every call of a request, in a batch or alone. */
function forEachCall({ url = '' }: IncomingMessage, result: unknown): unknown {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  return searchParams.has('batch') ? pathname.split(',').map(() => result) : result;
}

/** Succeeds with some data. */
export function succeeds(data: unknown): Answer {
  return (request, response) =>
    send(response, { status: 200, body: forEachCall(request, { result: { data } }) });
}

/** Refuses as the service does. */
export function refuses(
  problem: Record<string, unknown> & { status: number },
  headers?: Record<string, string>,
): Answer {
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

/** Is not there at the moment, as the service says it. */
export function unavailable(headers?: Record<string, string>): Answer {
  const problem = {
    status: 503,
    code: 'unavailable',
    title: 'Unavailable',
    detail: 'Not now.',
    instance: '/',
    type: '/',
    requestId: 'r',
  };
  return refuses(problem, headers);
}

/** Breaks the connection off without an answer. */
export const hangsUp: Answer = (request) => void request.socket.destroy();

/** Breaks the connection off in the middle of the body. */
export const breaksOff: Answer = (_request, response) => {
  response
    .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' })
    .write('{"result"');
  setTimeout(() => response.destroy(), 20);
};

/** Never answers. */
export const keepsSilent: Answer = () => undefined;

/** Sends a stream of events, piece by piece as it stands, and ends it, or leaves it open. */
export function streams(pieces: string[], { isOpen = false }: { isOpen?: boolean } = {}): Answer {
  return (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
    for (const piece of pieces) response.write(piece);
    if (!isOpen) response.end();
  };
}

/** Refuses as REST does. */
export function refusesRest(
  problem: Record<string, unknown> & { status: number },
  headers: Record<string, string> = {},
): Answer {
  return (_request, response) => {
    const type = { 'Content-Type': 'application/problem+json' };
    response.writeHead(problem.status, { ...type, ...headers }).end(JSON.stringify(problem));
  };
}
