import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { ADMIN_KEY_ID } from '../../src/api-keys/authenticator.ts';
import { scopes } from '../../src/api-keys/scopes.ts';
import { createEventNotifier } from '../../src/events/notifier.ts';
import type { Context, RequestScope, Services } from '../../src/trpc/context.ts';
import { createSender } from '../../src/webhooks/http-sender.ts';

const caller = { keyId: ADMIN_KEY_ID, scopes, endsAt: Number.POSITIVE_INFINITY, isCurrent: true };

export interface ContextOverrides {
  request?: Partial<RequestScope>;
  services?: Partial<Services>;
}

/** The context of a request by a caller with all scopes. */
export function contextOf(db: Kysely<Database>, { request, services }: ContextOverrides = {}): Context {
  return {
    db,
    request: {
      id: 'test',
      path: '/',
      authenticate: async () => caller,
      reauthenticate: async () => caller,
      precondition: () => undefined,
      idempotencyKey: () => undefined,
      freshness: () => undefined,
      responseMeta: { isReplayed: false },
      charge: async () => undefined,
      callOut: (call) => call(),
      ...request,
    },
    services: {
      now: () => new Date(),
      notifier: createEventNotifier({ onCommit: () => undefined }),
      invalidateKeys: () => undefined,
      sender: createSender({ isPrivateAllowed: false }),
      retentionDays: 30,
      webhooksMax: 100,
      isVersionRequired: false,
      ...services,
    },
  };
}
