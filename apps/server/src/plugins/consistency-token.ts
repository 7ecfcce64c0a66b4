import type { FastifyInstance } from 'fastify';

/** Every answer that comes from the records, a refusal too, says how new it is, by whichever door it goes. */
export function registerConsistency(scope: FastifyInstance): void {
  scope.decorateRequest('responseMeta', null);
  scope.addHook('onSend', async (request, reply) => {
    const token = request.responseMeta?.readState?.seen;
    if (token !== undefined) reply.header('Consistency-Token', token);
  });
}
