import type { DenialLog } from '@roster/api/server';
import type { FastifyInstance } from 'fastify';

/** Takes note of the rights that requests were denied, and of sign-ins that failed, once they are answered. */
export function registerDenialLog(app: FastifyInstance, denials: DenialLog): void {
  app.addHook('onResponse', ({ id, stats, identity }, _, done) => {
    const caller = identity && 'caller' in identity ? identity.caller : undefined;
    for (const denial of stats?.denials ?? []) denials.record({ ...denial, caller, requestId: id });
    done();
  });
  app.addHook('onClose', () => denials.close());
}
