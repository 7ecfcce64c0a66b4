import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { RosterError } from '@roster/api';
import type { FastifyInstance } from 'fastify';
import { announcesBody } from '../media-types.ts';

export const URL_MAX_CHARACTERS = 10_000;
/** The kernel takes these bytes of a response at once, even if the client does not read. */
const KERNEL_BYTES = 8 * 1024;

export interface LifecycleOptions {
  stopping: AbortSignal;
  stalledMs: number;
}

/** X-Request-Id if it is safe to repeat in headers and logs, else a new ID. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const { 'x-request-id': sent } = headers;
  return typeof sent === 'string' && /^[\w.:/+=-]{1,128}$/.test(sent) ? sent : randomUUID();
}

export function registerLifecycle(app: FastifyInstance, { stopping, stalledMs }: LifecycleOptions): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    if (request.url.length > URL_MAX_CHARACTERS) return done(new RosterError('uri_too_long'));
    done(contentError(request.raw));
  });
  // In onSend: requests that ran when the server began to stop close their connections too.
  app.addHook('onSend', (_, reply, payload, done) => {
    if (isClosing || stopping.aborted) reply.header('Connection', 'close');
    if (mayStall(reply.raw, payload)) reply.raw.setTimeout(stalledMs, () => endIfStalled(reply.raw));
    done(null, payload);
  });
  // Node keeps connections whose response began before.
  app.addHook('onResponse', (_, __, done) => {
    if (isClosing) app.server.closeIdleConnections();
    done();
  });
  closeUnusedConnections(app);
}

/** Otherwise the kernel takes the response at once, and no timer is needed. */
function mayStall({ socket }: ServerResponse, payload: unknown): boolean {
  if (socket === null || socket.writableLength > 0) return true;
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return payload.length > KERNEL_BYTES;
  return payload !== null && payload !== undefined;
}

function endIfStalled({ socket }: ServerResponse): void {
  if (socket !== null && socket.writableLength > 0) socket.destroy();
}

/** Browsers open connections in advance; Node keeps those on which nothing was sent. */
function closeUnusedConnections(app: FastifyInstance): void {
  const open = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  app.addHook('preClose', async () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  });
}

/** A body of a GET has no meaning (RFC 9110, section 9.3.1). */
function contentError({ method, headers }: IncomingMessage): RosterError | undefined {
  if ((method !== 'GET' && method !== 'HEAD') || !announcesBody(headers)) return undefined;
  return new RosterError('bad_request', `A ${method} has no body.`);
}
