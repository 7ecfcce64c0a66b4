import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import type { Context } from '../context.ts';
import { ADMIN_KEY_ID } from '../keys/ring.ts';
import { scopes } from '../keys/scopes.ts';

/** The context of a caller who may do everything, as a server would make it. */
export function contextOf(db: Kysely<Database>): Context {
  return {
    db,
    now: () => new Date(),
    retentionDays: 30,
    isVersionRequired: false,
    requestId: 'test',
    instance: '/',
    identify: async () => ({ keyId: ADMIN_KEY_ID, scopes }),
    ifMatch: () => undefined,
    idempotencyKey: () => undefined,
    answer: { isReplayed: false },
  };
}
