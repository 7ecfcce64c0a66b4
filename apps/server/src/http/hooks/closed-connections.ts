import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { RosterError } from '@roster/api';
import { problemType } from '../problem-details.ts';
import type { SecurityHeaders } from './browser-headers.ts';

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
