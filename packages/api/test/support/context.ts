import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { ADMIN_KEY_ID } from '../../src/api-keys/authenticator.ts';
import { scopes } from '../../src/api-keys/scopes.ts';
import { createFeed } from '../../src/events/notifier.ts';
import type { Context } from '../../src/trpc/context.ts';
import { createSender } from '../../src/webhooks/http-sender.ts';

const caller = { keyId: ADMIN_KEY_ID, scopes, endsAt: Number.POSITIVE_INFINITY, isCurrent: true };

/** The context of a caller who may do everything, as a server would make it. */
export function contextOf(db: Kysely<Database>): Context {
  return {
    db,
    now: () => new Date(),
    retentionDays: 30,
    webhooksMax: 100,
    isVersionRequired: false,
    requestId: 'test',
    instance: '/',
    identify: async () => caller,
    identifyAnew: async () => caller,
    precondition: () => undefined,
    idempotencyKey: () => undefined,
    freshness: () => undefined,
    answer: { isReplayed: false },
    feed: createFeed({ onCommit: () => undefined }),
    sender: createSender({ isPrivateAllowed: false }),
    callOut: (call) => call(),
    charge: async () => undefined,
  };
}
