import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { isWaitingToContinue } from './message-rules.ts';

/** How much of a body is read after its request was answered. */
export const DISCARDED_MAX_BYTES = 256 * 1024;
/** How long a client that sends more than that has to read the response; what it sends meanwhile is not read. */
const LINGER_MS = 1_000;

/**
 * Limits what is read of a body whose request is answered before the body has arrived. As much as most bodies have is read
 * and discarded, so that the connection stays usable, and a client that reads nothing before it has sent everything gets
 * the response; beyond that nothing is read, and the connection is closed after a second: closed at once, it would be reset
 * while the client sends, and most clients then do not read the response (RFC 9112, section 9.6). By default Node.js reads the whole body: a few clients that send
 * megabytes after each rejection would keep the process busy with that.
 */
export function limitDiscardedBody(request: IncomingMessage): void {
  // Reading would send 100 Continue; the response ends the connection instead.
  if (request.complete || isWaitingToContinue(request)) return;
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= DISCARDED_MAX_BYTES) return;
    request.pause();
    setTimeout(() => request.socket.destroy(), LINGER_MS).unref();
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
