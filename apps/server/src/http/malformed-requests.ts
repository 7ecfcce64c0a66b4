import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { type ErrorCode, RosterError } from '@roster/api';
import { problemType } from './problem-details.ts';
import type { SecurityHeaders } from './response-headers.ts';

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
    const code = codes[error.code ?? ''] ?? 'bad_request';
    socket.end(messageOf(rejectionOf(new RosterError(code), headers)));
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

/** The response to a request that no handler sees; it ends the connection. */
export function rejectionOf(error: RosterError, headers: SecurityHeaders) {
  const id = randomUUID();
  const problem = error.problem({ instance: '/', requestId: id });
  const body = JSON.stringify(problem);
  return {
    status: error.status,
    title: problem.title,
    headers: {
      'Content-Type': problemType,
      'Content-Length': Buffer.byteLength(body),
      ...headers,
      ...error.headers,
      'Cache-Control': 'no-store',
      'X-Request-Id': id,
      Connection: 'close',
    },
    body,
  };
}

/** A whole response of HTTP/1.1. */
function messageOf({ status, title, headers, body }: ReturnType<typeof rejectionOf>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `${[`HTTP/1.1 ${status} ${title}`, ...lines].join('\r\n')}\r\n\r\n${body}`;
}
