import { setTimeout } from 'node:timers/promises';
import { codeOf, type Database, SQLSTATE } from '@roster/db';
import { type Kysely, sql, type Transaction } from 'kysely';
import { inTransaction, withSavepoint } from '../../engine/write/transaction.ts';

/**
 * A merge that waits longer for a lock releases its own and starts again. PostgreSQL looks for deadlocks
 * after a second (`deadlock_timeout`), so other requests hardly ever fail because of one.
 */
const LOCK_TIMEOUT_MS = 100;
const ATTEMPTS_MAX = 40;
const PAUSE_MAX_MS = 200;

const lockErrors = new Set<string | undefined>([SQLSTATE.lockNotAvailable, SQLSTATE.deadlockDetected]);

/** Retries the change if a lock is taken; throws the error of the last attempt. */
export function withFreshLocks<Result>(
  db: Kysely<Database>,
  act: (trx: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  return inTransaction(db, async (trx) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await withSavepoint(trx, async () => {
          // The builder has no `set`.
          await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(trx);
          const result = await act(trx);
          await sql`set local lock_timeout to default`.execute(trx);
          return result;
        });
      } catch (error) {
        if (attempt === ATTEMPTS_MAX || !lockErrors.has(codeOf(error))) throw error;
        await setTimeout(Math.random() * PAUSE_MAX_MS);
      }
    }
  });
}
