import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { type ErrorCode, RosterError } from '@roster/api';
import { problemType } from '../problem-details.ts';
import type { SecurityHeaders } from './browser-headers.ts';
import { isFull, type ServedConnections } from './served-connections.ts';

const codes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

const LINGER_MS = 1_000;

/**
 * Ends a connection whose next bytes are not read. Closed at once, it would be reset before most clients read the response; never closed, a
 * client could hold it.
 */
export function closeUnread(socket: Socket, lastBytes = ''): void {
  socket.pause();
  socket.end(lastBytes);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/**
 * Responds to what cannot be parsed, or arrives too slowly, and closes the connection. No request gets two responses: if the faulty one
 * has its response, the connection is only closed.
 */
export function malformedRequestHandler({
  connections,
  headers,
}: {
  connections: ServedConnections;
  headers: SecurityHeaders;
}) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    // The rest of a rejected request must not arrive.
    socket.pause();
    const connection = connections.get(socket);
    // The last response closes it.
    if (isFull(connection)) return;
    const respond = () => {
      const code = codes[error.code ?? ''] ?? 'bad_request';
      if (socket.writable) closeUnread(socket, messageOf(rejectionOf(new RosterError(code), headers)));
    };
    const { waiting = 0, request, response } = connection ?? {};
    if (waiting === 0 && request?.complete !== false) respond();
    else if (request?.complete === true) response?.once('close', respond);
    else if (waiting === 1 && response?.headersSent === false) respond();
    else socket.destroy();
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
