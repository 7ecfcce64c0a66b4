import type { ResponseMeta } from '@roster/api/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Sends a Consistency-Token with every response of a scope whose procedures have read from or written to the database, also
 * with errors: a later request that sends the token reads nothing older.
 */
export function registerConsistencyToken(scope: FastifyInstance): void {
  scope.decorateRequest('responseMeta', null);
  scope.addHook('onSend', async (request, reply) => {
    // The position in the write-ahead log that the reads and writes of the request have seen.
    const token = request.responseMeta?.readState?.seen;
    if (token !== undefined) reply.header('Consistency-Token', token);
  });
}

/**
 * The report of procedures about their response to one request. Without replicas nothing reads it from the request, and it
 * is not kept there.
 */
export function responseMetaOf(request: FastifyRequest): ResponseMeta {
  const meta = { isReplayed: false };
  if (request.responseMeta === null) request.responseMeta = meta;
  return meta;
}
