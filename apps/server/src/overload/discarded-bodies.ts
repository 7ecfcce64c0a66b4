import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { isWaitingToContinue } from '../http/connections/message-rules.ts';
import { endInStages } from '../http/connections/sockets.ts';

/** The most that is read of a body after its request was answered. */
export const DISCARDED_MAX_BYTES = 256 * 1024;

/**
 * Limits what is read of a body whose request is answered before the body has arrived. As much as most bodies have is read
 * and discarded, so that the connection stays usable. A longer one, or one whose length is unknown, ends the connection,
 * and no more of it is read. By default Node.js reads the whole body: a few clients that send megabytes after each
 * rejection would keep the process busy with that.
 *
 * The connection is closed in stages, and nothing is read meanwhile.
 *
 * @returns whether the response has to say `Connection: close`
 */
export function limitDiscardedBody(request: IncomingMessage): boolean {
  // Reading would send 100 Continue; the response ends the connection instead.
  if (request.complete || isWaitingToContinue(request)) return false;
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > DISCARDED_MAX_BYTES) request.pause();
  });
  // The client may disconnect; the request has been answered.
  request.on('error', () => undefined);
  request.resume();
  const isTooLong = isLong(request);
  if (isTooLong) lingerAtEnd(request.socket);
  return isTooLong;
}

function isLong({ headers }: IncomingMessage): boolean {
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > DISCARDED_MAX_BYTES;
}

/** Node.js calls `destroySoon` after the last response of a connection, and would close it when that is written. */
function lingerAtEnd(socket: Socket): void {
  socket.destroySoon = () => endInStages(socket);
}

/** Limits what is read of the body of every request after its response. */
export function registerDiscardedBodyLimit(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (limitDiscardedBody(request.raw)) reply.header('Connection', 'close');
    done(null, payload);
  });
}
