import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { RosterError } from '@roster/api';
import type { FastifyInstance } from 'fastify';
import { announcesBody } from '../media-types.ts';

export const URL_MAX_CHARACTERS = 10_000;
/** The bytes of a response that the kernel takes of a connection without unsent data, whether its client reads or not. */
const KERNEL_BYTES = 8 * 1024;

export interface LifecycleOptions {
  /** Fires when the server is about to stop: from then on connections end after their response. */
  stopping: AbortSignal;
  /** The longest time in which a client may read nothing of a response. */
  stalledMs: number;
}

/** The id of a request: its X-Request-Id if that is safe to repeat in headers and logs, otherwise a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const { 'x-request-id': sent } = headers;
  return typeof sent === 'string' && /^[\w.:/+=-]{1,128}$/.test(sent) ? sent : randomUUID();
}

/**
 * The rules of every request: its id in the response, a bound on the length of its URL, no body for a GET, the end of a
 * connection whose client reads nothing, and the end of all connections while the application closes.
 */
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
  // Checked in onSend: a request that was already running when the server began to stop must close its connection too.
  app.addHook('onSend', (_, reply, payload, done) => {
    if (isClosing || stopping.aborted) reply.header('Connection', 'close');
    if (mayStall(reply.raw, payload)) reply.raw.setTimeout(stalledMs, () => endIfStalled(reply.raw));
    done(null, payload);
  });
  // Node keeps the connection of a response that began before.
  app.addHook('onResponse', (_, __, done) => {
    if (isClosing) app.server.closeIdleConnections();
    done();
  });
  closeUnusedConnections(app);
}

/** Whether a client can delay a response by not reading it; otherwise the kernel takes it at once, and needs no timer. */
function mayStall({ socket }: ServerResponse, payload: unknown): boolean {
  if (socket === null || socket.writableLength > 0) return true;
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return payload.length > KERNEL_BYTES;
  return payload !== null && payload !== undefined;
}

function endIfStalled({ socket }: ServerResponse): void {
  if (socket !== null && socket.writableLength > 0) socket.destroy();
}

/** Closes connections on which nothing was ever sent, which browsers open in advance, when the application closes. Node keeps them. */
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

/** The error of a GET or HEAD with a body, which has no meaning (RFC 9110, section 9.3.1) and which nothing reads. */
function contentError({ method, headers }: IncomingMessage): RosterError | undefined {
  if ((method !== 'GET' && method !== 'HEAD') || !announcesBody(headers)) return undefined;
  return new RosterError('bad_request', `A ${method} has no body.`);
}
