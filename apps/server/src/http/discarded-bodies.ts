import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { isWaitingToContinue } from './message-rules.ts';

/** What is read of a body after its request was answered. */
export const DISCARDED_MAX_BYTES = 256 * 1024;

/**
 * Bounds what is read of a body whose request is answered before the body has arrived. As much as most bodies have is read
 * and discarded, so that the connection stays usable and the client, which may read nothing before it has sent everything,
 * finds the answer; then the connection ends. Left alone, Node.js would read all of it: a few callers who send megabytes
 * after each rejection would keep the process busy with that.
 */
export function boundDiscarded(request: IncomingMessage): void {
  // To read the body would ask for it; the answer ends the connection instead.
  if (request.complete || isWaitingToContinue(request)) return;
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > DISCARDED_MAX_BYTES) request.socket.destroy();
  });
  // A body that breaks off is no failure of ours any more.
  request.on('error', () => undefined);
}

/** Bounds what is read of a body after the answer to its request, whatever the answer is. */
export function registerDiscardedBodies(app: FastifyInstance): void {
  app.addHook('onSend', (request, _, payload, done) => {
    boundDiscarded(request.raw);
    done(null, payload);
  });
}
