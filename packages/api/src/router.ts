import type {
  TRPCBuiltRouter,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
  TRPCRouterRecord,
  TRPCSubscriptionProcedure,
} from '@trpc/server';
import { agentsRouter } from './agents/router.ts';
import type { ResourceName } from './directory/registry.ts';
import type { ErrorShape } from './errors/roster-error.ts';
import { eventsRouter } from './events/router.ts';
import type { EventCollaborators } from './events/service.ts';
import { deletedRecordsRouter } from './history/deleted-records/router.ts';
import { invitationsRouter } from './identity/invitations/router.ts';
import { keysRouter } from './identity/keys/router.ts';
import { passkeysRouter } from './identity/passkeys/router.ts';
import { peopleRouter } from './identity/people/router.ts';
import type { SignInCollaborators } from './identity/people/sign-in-ways.ts';
import { sessionsRouter } from './identity/session-access/router.ts';
import { importsRouter } from './imports/router.ts';
import { jobsRouter } from './jobs/router.ts';
import { officesRouter } from './offices/router.ts';
import type { RecordCollaborators } from './records/procedure.ts';
import { scheduledChangesRouter } from './schedule/router.ts';
import { settingsRouter } from './settings/router.ts';
import { statsRouter } from './stats/router.ts';
import { teamsRouter } from './teams/router.ts';
import { given, router } from './trpc/init.ts';
import { viewsRouter } from './views/router.ts';
import { webhooksRouter } from './webhooks/router.ts';
import type { WebhookCollaborators } from './webhooks/service.ts';

/** The parts of the service that procedures need beside their context, by feature. */
export interface Collaborators {
  records: RecordCollaborators;
  events: EventCollaborators;
  webhooks: WebhookCollaborators;
  people: SignInCollaborators;
}

function routersOf(collaborators: () => Collaborators) {
  const settings = given(() => collaborators().records);
  const notifier = given(() => collaborators().events);
  const sender = given(() => collaborators().webhooks);
  const signIn = given(() => collaborators().people);
  return {
    offices: officesRouter(settings),
    agents: agentsRouter(settings),
    teams: teamsRouter(settings),
    deletedRecords: deletedRecordsRouter(settings),
    scheduledChanges: scheduledChangesRouter,
    imports: importsRouter(settings),
    jobs: jobsRouter(settings),
    events: eventsRouter(notifier),
    webhooks: webhooksRouter(sender),
    keys: keysRouter,
    people: peopleRouter(signIn),
    invitations: invitationsRouter(signIn),
    passkeys: passkeysRouter,
    sessions: sessionsRouter,
    settings: settingsRouter(settings),
    stats: statsRouter,
    views: viewsRouter,
  } satisfies TRPCRouterRecord & Record<ResourceName, TRPCRouterRecord>;
}

/**
 * Makes the router of a service that starts, with all procedures; REST, RPC and the CLI call the same ones by the same names.
 *
 * @param collaborators Read when a procedure is called that needs them
 */
export function createAppRouter(collaborators: () => Collaborators) {
  return router(routersOf(collaborators));
}

export type ServiceRouter = ReturnType<typeof createAppRouter>;

/** The router of no service: its procedures are described, and none can be called. */
export const describedRouter = createAppRouter(() => {
  throw new Error('this router only describes its procedures');
});

type Routers = ReturnType<typeof routersOf>;

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
    [Resource in keyof Routers]: {
      [Verb in keyof Routers[Resource]]: CalledProcedure<Routers[Resource][Verb]>;
    };
  }
>;
