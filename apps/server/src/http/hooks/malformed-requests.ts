import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { type ErrorCode, RosterError } from '@roster/api';
import { problemType } from '../problem-details.ts';
import type { SecurityHeaders } from './browser-headers.ts';

/** The error codes of Node's errors for a message that is no request, or is not received in time; others are `bad_request`. */
const codes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** The time that a client has to read the response before its connection is closed. */
const LINGER_MS = 1_000;

/**
 * Returns the handler of Node's `clientError`: it responds to a message that Node cannot parse, or that takes too long, with a
 * problem document, and closes the connection a second later. Closed at once it would be reset while the client sends, and most
 * clients then do not read the response; never closed, it would be held by a client that does not end its side.
 */
export function malformedRequestHandler(headers: SecurityHeaders) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    // A request that was rejected must not arrive after all.
    socket.pause();
    socket.end(rejection(new RosterError(codes[error.code ?? ''] ?? 'bad_request'), headers));
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

/** A whole response of HTTP/1.1. */
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
