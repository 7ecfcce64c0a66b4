import type { Database } from '@roster/db';
import { type Kysely, sql, type Transaction } from 'kysely';

/** Runs a change in the transaction of the caller, or in a new one if `db` is not a transaction. */
export async function inTransaction<Result>(
  db: Kysely<Database>,
  change: (trx: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  return db.isTransaction ? change(db as Transaction<Database>) : db.transaction().execute(change);
}

/**
 * Runs a part of a transaction that can fail without the rest: what it changed before it failed is rolled back, and the
 * transaction goes on. Rejects with the error of the part. May be nested.
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

/** Runs a part of a transaction and rolls it back, whether it succeeds or fails: nothing that it changed is kept. */
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

/** Without its release, the savepoint of the next part would be nested in this one. */
async function rollBackPart(trx: Transaction<Database>): Promise<void> {
  await sql`rollback to savepoint part`.execute(trx);
  await sql`release savepoint part`.execute(trx);
}

/**
 * Keeps the rest of a transaction from reading whole tables. For statements that look up each of many keys: the planner, which knows a
 * table as it was when that was last analysed, would read all of one that was empty then, for each of the keys.
 */
export async function withIndexes(trx: Kysely<Database>): Promise<void> {
  await sql`set local enable_seqscan = off`.execute(trx);
}
