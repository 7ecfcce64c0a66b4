import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { type ErrorCode, RosterError } from '@roster/api';
import { problemType } from '../problem-details.ts';
import type { SecurityHeaders } from './browser-headers.ts';

const codes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

const LINGER_MS = 1_000;

/** Closed at once, the connection would be reset before most clients read the response; never closed, a client could hold it. */
export function malformedRequestHandler(headers: SecurityHeaders) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    // The rest of a rejected request must not arrive.
    socket.pause();
    socket.end(rejection(new RosterError(codes[error.code ?? ''] ?? 'bad_request'), headers));
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

function rejection(error: RosterError, headers: SecurityHeaders): string {
  const id = randomUUID();
  const problem = error.problem({ instance: '/', requestId: id });
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${error.status} ${problem.title}`,
    `Content-Type: ${problemType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Cache-Control: no-store',
    `X-Request-Id: ${id}`,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
