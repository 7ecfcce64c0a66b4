import type { Database } from '@roster/db';
import { type Kysely, sql, type Transaction } from 'kysely';

/** Runs a change in the given transaction, or in a new one if `db` is not a transaction. */
export async function inTransaction<Result>(
  db: Kysely<Database>,
  change: (trx: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  return db.isTransaction ? change(db as Transaction<Database>) : db.transaction().execute(change);
}

/**
 * Runs a part of a transaction that can fail alone: its changes are rolled back, the transaction continues,
 * and the part's error is thrown. May be nested.
 */
export async function withSavepoint<Result>(
  trx: Transaction<Database>,
  act: () => Promise<Result>,
): Promise<Result> {
  await sql`savepoint part`.execute(trx);
  const result = await act().catch(async (error: unknown) => {
    await rollBackPart(trx);
    throw error;
  });
  await sql`release savepoint part`.execute(trx);
  return result;
}

/** Runs a part of a transaction and always rolls it back. */
export async function rolledBack<Result>(
  trx: Transaction<Database>,
  act: () => Promise<Result>,
): Promise<Result> {
  await sql`savepoint part`.execute(trx);
  try {
    return await act();
  } finally {
    await rollBackPart(trx);
  }
}

/** Without the release, the next savepoint would be nested in this one. */
async function rollBackPart(trx: Transaction<Database>): Promise<void> {
  await sql`rollback to savepoint part`.execute(trx);
  await sql`release savepoint part`.execute(trx);
}

/**
 * Prevents sequential scans for the rest of a transaction. For statements that look up many keys: the planner
 * relies on the last analysis, and would scan a table that was empty then once for each key.
 */
export async function withIndexes(trx: Kysely<Database>): Promise<void> {
  await sql`set local enable_seqscan = off`.execute(trx);
}
