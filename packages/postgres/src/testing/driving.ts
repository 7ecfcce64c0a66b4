import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';
import { compileOnce } from '../compiled-query.ts';
import { type ConnectOptions, connect } from '../connect.ts';
import type { TestDatabase } from './databases.ts';

/** Text that is known to read, so that it goes through the pipelines. */
export async function read<Row>(db: QueryExecutorProvider, text: string, options?: { signal: AbortSignal }) {
  const statement = compileOnce<object, Row>(() => sql.raw(text), { reads: true });
  const rows = await statement.execute(db, {}, options);
  return rows[0];
}

/** A connection to a test's database, ended with the test. */
export function connected(
  database: { connection: TestDatabase['connection'] },
  options: Partial<ConnectOptions> = {},
): Kysely<unknown> & AsyncDisposable {
  return connect({ connection: database.connection, ...options });
}

/** How many statements with this text in them are running, on any connection to the database. */
export async function running({ db }: TestDatabase, text: string): Promise<number> {
  const { rows } = await sql`
    select 1 from pg_stat_activity
    where datname = current_database() and state = 'active' and query like ${`%${text}%`}
      and pid <> pg_backend_pid()`.execute(db);
  return rows.length;
}

/** Kills the sessions that are running a statement with this text in it. */
export async function killRunning({ db }: TestDatabase, text: string): Promise<void> {
  const { rows } = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and state = 'active' and query like ${`%${text}%`}
      and pid <> pg_backend_pid()`.execute(db);
  if (rows.length === 0) throw new Error(`nothing like ${text} is running`);
}
