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
import { eventsRouter } from './events/router.ts';
import { deletedRecordsRouter } from './history/deleted-records/router.ts';
import { invitationsRouter } from './identity/invitations/router.ts';
import { keysRouter } from './identity/keys/router.ts';
import { passkeysRouter } from './identity/passkeys/router.ts';
import { peopleRouter } from './identity/people/router.ts';
import { sessionsRouter } from './identity/sessions/router.ts';
import { importsRouter } from './imports/router.ts';
import { jobsRouter } from './jobs/router.ts';
import { officesRouter } from './offices/router.ts';
import { scheduledChangesRouter } from './schedule/router.ts';
import { settingsRouter } from './settings/router.ts';
import { statsRouter } from './stats/router.ts';
import { teamsRouter } from './teams/router.ts';
import { router } from './trpc/init.ts';
import { viewsRouter } from './views/router.ts';
import { webhooksRouter } from './webhooks/router.ts';

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
