import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { RosterError } from '@roster/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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
    done(repeatedLineError(request.raw) ?? contentError(request.raw));
  });
  // In onSend: requests that ran when the server began to stop close their connections too.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (isClosing || stopping.aborted) reply.header('Connection', 'close');
    if (mayStall(reply.raw, payload)) reply.raw.setTimeout(stalledMs, () => endIfStalled(reply.raw));
    if (!lacksBody(request.raw)) return done(null, payload);
    // A body that was sent together with its headers has arrived by then.
    setImmediate(() => {
      closeIfBodyLacks(request, reply);
      done(null, payload);
    });
  });
  // Node keeps connections whose response began before.
  app.addHook('onResponse', (_, __, done) => {
    if (isClosing) app.server.closeIdleConnections();
    done();
  });
  closeUnusedConnections(app);
}

function lacksBody({ complete, headers }: IncomingMessage): boolean {
  return !complete && announcesBody(headers);
}

/** The next bytes would be those of the body, not a request: the response closes the connection (RFC 9112, section 9.3). */
export function closeIfBodyLacks({ raw }: Pick<FastifyRequest, 'raw'>, reply: FastifyReply): void {
  if (!lacksBody(raw)) return;
  reply.header('Connection', 'close');
  // `sendError` removes that header otherwise.
  reply.raw.shouldKeepAlive = false;
  const { socket } = raw;
  // Node would close it at once. Unread bytes would then reset the connection, before the client has read the response.
  socket.destroySoon = () => {
    if (raw.complete) return void socket.end(() => socket.destroy());
    socket.end();
    raw.once('end', () => socket.destroy()).resume();
  };
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

/** Node takes the first of such lines and ignores the others, which a proxy may read instead (RFC 9112, section 3.2). */
const unrepeatable = new Set(['host', 'authorization', 'content-type']);

function repeatedLineError({ rawHeaders }: IncomingMessage): RosterError | undefined {
  let seen = '';
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    if (!unrepeatable.has(name)) continue;
    if (seen.includes(`:${name}:`))
      return new RosterError('bad_request', `The header ${name} was sent twice.`);
    seen += `:${name}:`;
  }
  return undefined;
}
