import type { FastifyInstance } from 'fastify';

/** The part of a reply that `appendVary` uses. */
interface HeaderWriter {
  getHeader(name: string): unknown;
  header(name: string, value: string): unknown;
}

/** Adds a request header to the `Vary` header of a response. */
export function appendVary(reply: HeaderWriter, field: string): void {
  const before = reply.getHeader('vary');
  reply.header('vary', before === undefined ? field : `${before}, ${field}`);
}

/**
 * Sets `Vary` on every response of a resource: the same whether the response is compressed or not, and on its 304
 * (RFC 9110, sections 12.5.5 and 15.4.5). Responses of authenticated routes also vary by `Authorization` and `Cookie`.
 */
export function registerVary(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const fields =
      request.identity === undefined ? 'accept-encoding' : 'accept-encoding, Authorization, Cookie';
    if (reply.getHeader('vary') !== fields) appendVary(reply, fields);
    done(null, payload);
  });
}
