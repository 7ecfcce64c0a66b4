import { RosterError } from '@roster/api';
import { appRouter, type Context } from '@roster/api/hosting';
import { type FastifyTRPCPluginOptions, fastifyTRPCPlugin } from '@trpc/server/adapters/fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Calls a batch may hold; each costs as much as a request of its own. */
const BATCH_MAX = 20;

/** The typed procedures, at /trpc. */
export function registerRpc(app: FastifyInstance, contexts: (request: FastifyRequest) => Context): void {
  const trpcOptions: FastifyTRPCPluginOptions<typeof appRouter>['trpcOptions'] = {
    router: appRouter,
    createContext: ({ req }) => contexts(req),
    maxBatchSize: BATCH_MAX,
    responseMeta: ({ ctx, errors }) => {
      const headers: Record<string, string> = { 'Cache-Control': 'no-store' };
      for (const error of errors) if (error instanceof RosterError) Object.assign(headers, error.headers);
      if (ctx?.answer.isReplayed) headers['Idempotency-Replayed'] = 'true';
      return { headers };
    },
    onError: ({ error, req }) => {
      if (error instanceof RosterError && error.status !== 500) return;
      req.log.error({ err: error.cause ?? error }, 'internal error');
    },
  };
  app.register(fastifyTRPCPlugin, { prefix: '/trpc', trpcOptions });
}
