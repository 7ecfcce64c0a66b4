import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { readLimit } from '../../src/engine/office-limit.ts';
import { createEventNotifier } from '../../src/events/log/notifier.ts';
import { ADMIN, type Caller } from '../../src/identity/access/caller.ts';
import type { Scope } from '../../src/identity/access/scopes.ts';
import type { Context, RequestScope, Services } from '../../src/trpc/context.ts';
import { createSender } from '../../src/webhooks/sender/http-sender.ts';

export interface ContextOverrides {
  request?: Partial<RequestScope>;
  services?: Partial<Services>;
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
export function contextOf(db: Kysely<Database>, { request, services }: ContextOverrides = {}): Context {
  return {
    db,
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
      ...request,
    },
    services: {
      now: laterTime,
      notifier: createEventNotifier({ onCommit: () => undefined }),
      invalidateKeys: () => undefined,
      invalidateLimits: () => undefined,
      sender: createSender({ isPrivateAllowed: false }),
      parametersOf: () => [],
      signIn: { hasProvider: false, isConsoleServed: true },
      retentionDays: 30,
      webhooksMax: 100,
      defaultCountry: 'US',
      isVersionRequired: false,
      ...services,
    },
  };
}
