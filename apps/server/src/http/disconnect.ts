import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Whether the client has closed the connection of a request, so that no one would read the response. Costs nothing
 * before it is asked, unlike a signal for each request.
 */
export function isDisconnected({ raw }: FastifyRequest): boolean {
  return raw.socket.destroyed;
}

/** A signal that fires when the client has closed the connection of a response that has no end by itself. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  raw.once('close', () => disconnected.abort());
  return disconnected.signal;
}
