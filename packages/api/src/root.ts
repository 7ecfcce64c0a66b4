import type { TRPCBuiltRouter, TRPCDecorateCreateRouterOptions, TRPCRouterRecord } from '@trpc/server';
import { agentsRouter } from './agents/router.ts';
import { keysRouter } from './api-keys/router.ts';
import { deletedRecordsRouter } from './deleted-records/router.ts';
import type { ErrorShape } from './errors/roster-error.ts';
import { eventsRouter } from './events/router.ts';
import { importsRouter } from './imports/router.ts';
import { jobsRouter } from './jobs/router.ts';
import { officesRouter } from './offices/router.ts';
import { peopleRouter } from './people/router.ts';
import { scheduledChangesRouter } from './scheduled-changes/router.ts';
import { sessionsRouter } from './sessions/router.ts';
import { statsRouter } from './stats/router.ts';
import { statusRouter } from './status/router.ts';
import { router } from './trpc/init.ts';
import { viewsRouter } from './views/router.ts';
import { webhooksRouter } from './webhooks/router.ts';

const routers = {
  offices: officesRouter,
  agents: agentsRouter,
  deletedRecords: deletedRecordsRouter,
  scheduledChanges: scheduledChangesRouter,
  imports: importsRouter,
  jobs: jobsRouter,
  events: eventsRouter,
  webhooks: webhooksRouter,
  keys: keysRouter,
  people: peopleRouter,
  sessions: sessionsRouter,
  stats: statsRouter,
  views: viewsRouter,
  status: statusRouter,
} satisfies TRPCRouterRecord;

/** All procedures of the service; REST, RPC and the CLI call the same ones by the same names. */
export const appRouter = router(routers);

/**
 * The type of the router for clients: the input and the output of each procedure. It leaves out the context, so that a
 * client's compiler does not read the types of the database.
 */
export type AppRouter = TRPCBuiltRouter<
  { ctx: object; meta: object; errorShape: ErrorShape; transformer: false },
  TRPCDecorateCreateRouterOptions<typeof routers>
>;
