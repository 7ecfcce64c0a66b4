import type { Database } from '@roster/db';
import { type Kysely, sql, type Transaction } from 'kysely';

export async function inTransaction<Result>(
  db: Kysely<Database>,
  change: (trx: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  return db.isTransaction ? change(db as Transaction<Database>) : db.transaction().execute(change);
}

/** Rolls back only this part if it fails, and throws its error. May be nested. */
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

async function rollBackPart(trx: Transaction<Database>): Promise<void> {
  await sql`rollback to savepoint part`.execute(trx);
  await sql`release savepoint part`.execute(trx);
}

/** Prevents sequential scans: the planner may rely on an analysis of a table that was still empty. */
export async function withIndexes(trx: Kysely<Database>): Promise<void> {
  await sql`set local enable_seqscan = off`.execute(trx);
}
