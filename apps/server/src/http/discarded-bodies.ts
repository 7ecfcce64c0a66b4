import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { isWaitingToContinue } from './message-rules.ts';

/** How much of a body is read after its request was answered. */
export const DISCARDED_MAX_BYTES = 256 * 1024;

/**
 * Limits what is read of a body whose request is answered before the body has arrived. As much as most bodies have is read
 * and discarded, so that the connection stays usable, and a client that reads nothing before it has sent everything gets
 * the response; beyond that the connection is closed. By default Node.js reads the whole body: a few clients that send
 * megabytes after each rejection would keep the process busy with that.
 */
export function limitDiscardedBody(request: IncomingMessage): void {
  // Reading would send 100 Continue; the response ends the connection instead.
  if (request.complete || isWaitingToContinue(request)) return;
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > DISCARDED_MAX_BYTES) request.socket.destroy();
  });
  // The client may disconnect; the request has been answered.
  request.on('error', () => undefined);
}

/** Limits what is read of the body of every request after its response. */
export function registerDiscardedBodyLimit(app: FastifyInstance): void {
  app.addHook('onSend', (request, _, payload, done) => {
    limitDiscardedBody(request.raw);
    done(null, payload);
  });
}
