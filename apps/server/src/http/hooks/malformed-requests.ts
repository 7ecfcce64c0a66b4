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
    const code = codes[error.code ?? ''] ?? 'bad_request';
    socket.end(messageOf(rejectionOf(new RosterError(code), headers)));
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

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
