import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { ADMIN, type Caller } from '../../src/access/caller.ts';
import type { Scope } from '../../src/access/scopes.ts';
import { readLimit } from '../../src/engine/office-limit.ts';
import { createEventNotifier } from '../../src/log/notifier.ts';
import type { Collaborators } from '../../src/router.ts';
import type { Context, RequestScope } from '../../src/trpc/context.ts';
import { createSender } from '../../src/webhooks/sender/http-sender.ts';

export interface ContextOverrides {
  now?: () => Date;
  request?: Partial<RequestScope>;
}

type RecordSettings = Collaborators['records']['settings'];

export interface ServiceOverrides {
  settings?: Partial<RecordSettings>;
  webhooksMax?: number;
}

/** A caller with a key of some scopes. */
export function keyOf(scopes: readonly Scope[], { id = 'test' }: { id?: string } = {}): Caller {
  return { ...ADMIN, id, name: 'A key', scopes, grants: [{ scopes, mayManage: true, limit: undefined }] };
}

/** A caller with a key of all scopes that is limited to some offices with their branches. */
export async function limitedTo(db: Kysely<Database>, officeIds: readonly string[]): Promise<Caller> {
  const limit = await readLimit(db, officeIds);
  return { ...ADMIN, grants: [{ scopes: ADMIN.scopes, mayManage: true, limit }] };
}

let latest = 0;

/** The time, later at each call, so that what is made one after the other is in that order by it too. */
function laterTime(): Date {
  latest = Math.max(Date.now(), latest + 1);
  return new Date(latest);
}

/** The context of a request by a caller with all scopes. */
export function contextOf(
  db: Kysely<Database>,
  { now = laterTime, request }: ContextOverrides = {},
): Context {
  return {
    db,
    now,
    request: {
      id: 'test',
      path: '/',
      authenticate: async () => ADMIN,
      reauthenticate: async () => ADMIN,
      precondition: () => undefined,
      idempotencyKey: () => undefined,
      ownOrigin: () => undefined,
      passkeyOrigin: () => undefined,
      responseMeta: { isReplayed: false },
      charge: async () => undefined,
      callOut: (call) => call(),
      isVersionRequired: false,
      committed: () => undefined,
      parametersOf: () => [],
      ...request,
    },
  };
}

/** The parts of a service without servers outside. */
export function collaboratorsOf({ settings, webhooksMax = 100 }: ServiceOverrides = {}): Collaborators {
  return {
    records: { settings: { retentionDays: 30, defaultCountry: 'US', ...settings } },
    events: { notifier: createEventNotifier({ onCommit: () => undefined }) },
    webhooks: { sender: createSender({ isPrivateAllowed: false }), webhooksMax },
    people: { signIn: { hasProvider: false, isConsoleServed: true } },
  };
}
