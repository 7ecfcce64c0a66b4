import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import type { TestServer } from './index.ts';

/** Does something while another connection holds the table of offices. */
export async function whileLocked(of: TestServer, act: () => Promise<Response>): Promise<Response> {
  return of.database.db.transaction().execute(async (trx) => {
    await sql`lock table office in access exclusive mode`.execute(trx);
    return await act();
  });
}

async function countWaiting(db: Kysely<Database>, isOfRequest: boolean): Promise<number> {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
      and (application_name = 'roster') = ${isOfRequest}`.execute(db);
  return rows.length;
}

/** How many statements of requests wait for a lock; those of workers, whose connections have another name, do not count. */
export const requestsThatWait = (db: Kysely<Database>) => countWaiting(db, true);

/** How many statements of workers wait for a lock. */
export const workersThatWait = (db: Kysely<Database>) => countWaiting(db, false);

/** The last statements of the connections for requests whose transaction is open and waits for the server. */
export async function openTransactions(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ query: string }>`
    select query from pg_stat_activity
    where datname = current_database() and application_name = 'roster' and state like 'idle in transaction%'`.execute(
    db,
  );
  return rows.map(({ query }) => query);
}
