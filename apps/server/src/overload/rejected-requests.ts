import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Requests of one connection that may be rejected for their rate before the server reads the connection more slowly. */
export const REJECTED_FREE = 10;
/** The time for which the server reads nothing from such a connection after each further rejection. */
export const PAUSE_MS = 1_000;

/**
 * Slows down connections that continue to send requests beyond the rate limit. A rejection costs little, but a client that
 * sends thousands of requests in a second would keep the process busy with rejections; a client that waits for the time in
 * `Retry-After` is not affected. Behind proxies no connection is slowed down, because a proxy sends the requests of many
 * callers over one connection.
 */
export function registerRejectionBackoff(
  app: FastifyInstance,
  { isBehindProxies }: { isBehindProxies: boolean },
): void {
  const rejected = new WeakMap<Socket, number>();
  app.decorate('slowDown', ({ raw, request }: FastifyReply) => {
    const { socket } = request.raw;
    // After the response, because then Node resumes the connection to discard the rest of the request.
    if (!isBehindProxies) raw.once('close', () => slowDown(rejected, socket));
  });
}

function slowDown(rejected: WeakMap<Socket, number>, socket: Socket): void {
  const count = (rejected.get(socket) ?? 0) + 1;
  rejected.set(socket, count);
  if (count <= REJECTED_FREE || socket.destroyed) return;
  socket.pause();
  setTimeout(() => socket.resume(), PAUSE_MS).unref();
}
