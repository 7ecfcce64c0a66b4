import type { Context } from '@roster/api/hosting';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** What procedures say of their answers; undefined where the service has no replicas. */
    answer?: Context['answer'] | null;
  }
}

/** Every answer that comes from the records, a refusal too, says how new it is, by whichever door it goes. */
export function registerConsistency(scope: FastifyInstance): void {
  scope.decorateRequest('answer', null);
  scope.addHook('onSend', async (request, reply) => {
    const token = request.answer?.trail?.seen;
    if (token !== undefined) reply.header('Consistency-Token', token);
  });
}
