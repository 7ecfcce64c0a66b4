import type {
  TRPCBuiltRouter,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
  TRPCRouterRecord,
  TRPCSubscriptionProcedure,
} from '@trpc/server';
import { agentsRouter } from './agents/router.ts';
import type { ResourceName } from './directory.ts';
import type { ErrorShape } from './errors/roster-error.ts';
import { officesRouter } from './offices/router.ts';
import { keysRouter } from './routers/api-keys.ts';
import { deletedRecordsRouter } from './routers/deleted-records.ts';
import { eventsRouter } from './routers/events.ts';
import { importsRouter } from './routers/imports.ts';
import { invitationsRouter } from './routers/invitations.ts';
import { jobsRouter } from './routers/jobs.ts';
import { passkeysRouter } from './routers/passkeys.ts';
import { peopleRouter } from './routers/people.ts';
import { scheduledChangesRouter } from './routers/scheduled-changes.ts';
import { sessionsRouter } from './routers/sessions/router.ts';
import { settingsRouter } from './routers/settings.ts';
import { statsRouter } from './routers/stats.ts';
import { viewsRouter } from './routers/views.ts';
import { webhooksRouter } from './routers/webhooks.ts';
import { teamsRouter } from './teams/router.ts';
import { router } from './trpc/init.ts';

const routers = {
  offices: officesRouter,
  agents: agentsRouter,
  teams: teamsRouter,
  deletedRecords: deletedRecordsRouter,
  scheduledChanges: scheduledChangesRouter,
  imports: importsRouter,
  jobs: jobsRouter,
  events: eventsRouter,
  webhooks: webhooksRouter,
  keys: keysRouter,
  people: peopleRouter,
  invitations: invitationsRouter,
  passkeys: passkeysRouter,
  sessions: sessionsRouter,
  settings: settingsRouter,
  stats: statsRouter,
  views: viewsRouter,
} satisfies TRPCRouterRecord & Record<ResourceName, TRPCRouterRecord>;

/** All procedures of the service; REST, RPC and the CLI call the same ones by the same names. */
export const appRouter = router(routers);

/** The types of a procedure as it is called: an input that requires nothing may be left out. */
type Called<Types extends { input: unknown; output: unknown; meta: unknown }> = {
  input: Record<never, never> extends Types['input'] ? Types['input'] | undefined : Types['input'];
  output: Types['output'];
  meta: Types['meta'];
};

type CalledProcedure<Procedure> =
  Procedure extends TRPCQueryProcedure<infer Types>
    ? TRPCQueryProcedure<Called<Types>>
    : Procedure extends TRPCMutationProcedure<infer Types>
      ? TRPCMutationProcedure<Called<Types>>
      : Procedure extends TRPCSubscriptionProcedure<infer Types>
        ? TRPCSubscriptionProcedure<Called<Types>>
        : never;

/**
 * The type of the router for clients: the input and the output of each procedure. It leaves out the context, so that a
 * client's compiler does not read the types of the database.
 */
export type AppRouter = TRPCBuiltRouter<
  { ctx: object; meta: object; errorShape: ErrorShape; transformer: false },
  {
    [Resource in keyof typeof routers]: {
      [Verb in keyof (typeof routers)[Resource]]: CalledProcedure<(typeof routers)[Resource][Verb]>;
    };
  }
>;
