import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { RosterError } from '@roster/api';
import type { SecurityHeaders } from './browser-headers.ts';
import { rejectionOf } from './malformed-requests.ts';

/** Requests of one connection that are served or wait at once: those sent before the response to an earlier one (RFC 9112, section 9.3.2). */
export const PIPELINED_MAX = 64;

/**
 * Limits the pipelined requests of each connection. One piece of 64 KB, which Node.js parses at once, can hold two thousand requests.
 * The request beyond the limit gets 503 after the responses to those before it, and ends the connection; later ones are discarded.
 */
export function limitPipelined(handle: RequestListener, headers: SecurityHeaders): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  return (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > PIPELINED_MAX + 1) return;
    waiting.set(socket, count);
    if (count <= PIPELINED_MAX) {
      response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 0) - 1));
      return handle(request, response);
    }
    const rejection = rejectionOf(new RosterError('overloaded', DETAIL), headers);
    response.writeHead(rejection.status, rejection.headers).end(rejection.body);
  };
}

const DETAIL = `A connection can have ${PIPELINED_MAX} requests without a response. Send the later ones again.`;
