import type { TRPCBuiltRouter, TRPCDecorateCreateRouterOptions, TRPCRouterRecord } from '@trpc/server';
import { agentsRouter } from './agents/router.ts';
import { keysRouter } from './api-keys/router.ts';
import type { ErrorShape } from './errors/roster-error.ts';
import { eventsRouter } from './events/router.ts';
import { importsRouter } from './imports/router.ts';
import { officesRouter } from './offices/router.ts';
import { webhooksRouter } from './webhooks/router.ts';

/** Every procedure there is; RPC, REST and the CLI reach the same ones by the same names. */
export const routes = {
  offices: officesRouter,
  agents: agentsRouter,
  imports: importsRouter,
  events: eventsRouter,
  webhooks: webhooksRouter,
  keys: keysRouter,
} satisfies TRPCRouterRecord;

/**
 * The type of the router as clients see it: every input and output, nothing of what serves them. The context is
 * left open on purpose, so that a client's compiler never has to read the database's types.
 */
export type AppRouter = TRPCBuiltRouter<
  { ctx: object; meta: object; errorShape: ErrorShape; transformer: false },
  TRPCDecorateCreateRouterOptions<typeof routes>
>;
