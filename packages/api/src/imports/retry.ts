import { setTimeout } from 'node:timers/promises';
import { codeOf, type Database, SQLSTATE } from '@roster/db';
import type { Kysely, Transaction } from 'kysely';
import { withSavepoint } from '../engine/write/transaction.ts';

type Act<Result> = (trx: Transaction<Database>) => Promise<Result>;

/** Violations of constraints, and deadlocks: what another transaction can cause that commits at the wrong moment. */
const raceErrors = new Set<string | undefined>([
  SQLSTATE.foreignKeyViolation,
  SQLSTATE.uniqueViolation,
  SQLSTATE.checkViolation,
  SQLSTATE.deadlockDetected,
]);

function isRaceError(error: unknown): boolean {
  return raceErrors.has(codeOf(error));
}

/** All or nothing, in a transaction of its own or as a part of the caller's. */
async function inTransaction<Result>(db: Kysely<Database>, act: Act<Result>): Promise<Result> {
  if (!db.isTransaction) return db.transaction().execute(act);
  const trx = db as Transaction<Database>;
  return withSavepoint(trx, () => act(trx));
}

/** Several others may come in between, one after another; something that no check foresees fails every time. */
const ATTEMPTS_MAX = 4;
/** The pause after a deadlock, so that the others in the circle get their locks before it asks for them again. */
const DEADLOCK_PAUSE_MS = 100;

/**
 * All or nothing; if a constraint rejects what was checked before, another transaction committed in between, and it is
 * tried again from the start. Throws what the last attempt meets.
 */
export async function withRetries<Result>(db: Kysely<Database>, act: Act<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(db, act);
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !isRaceError(error)) throw error;
      if (codeOf(error) === SQLSTATE.deadlockDetected) await setTimeout(DEADLOCK_PAUSE_MS * attempt);
    }
  }
}
