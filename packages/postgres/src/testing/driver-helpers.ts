import { createDatabase, type TestDatabase as LocalDatabase } from '@roster/local-postgres/testing';
import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';
import { compileOnce } from '../compiled-query.ts';
import { type ConnectOptions, connect } from '../connect.ts';

export interface TestDatabase extends LocalDatabase {
  /** Connections with the default options. */
  db: Kysely<unknown>;
}

/** An empty database with connections to it, both removed on disposal. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const database = await createDatabase();
  const db = connect<unknown>({ connection: database.connection });
  return {
    ...database,
    db,
    [Symbol.asyncDispose]: async () => {
      await db.destroy();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** Further connections to a test database. */
export function connected(
  database: { connection: TestDatabase['connection'] },
  options: Partial<ConnectOptions> = {},
): Kysely<unknown> & AsyncDisposable {
  return connect({ connection: database.connection, ...options });
}

/** Runs text as a short read, so that outside transactions it goes to the pipelined connections; returns the first row. */
export async function read<Row>(db: QueryExecutorProvider, text: string, options?: { signal: AbortSignal }) {
  const statement = compileOnce<object, Row>(() => sql.raw(text), { isReadOnly: true, lane: 'keys' });
  const rows = await statement.execute(db, {}, options);
  return rows[0];
}

/** A sequence that counts how often a statement ran, whether or not it was committed. */
export async function countRuns({
  db,
}: TestDatabase): Promise<{ name: string; count: () => Promise<number> }> {
  const name = `runs_${Math.random().toString(36).slice(2)}`;
  await sql`create sequence ${sql.ref(name)}`.execute(db);
  const count = async () => {
    const { rows } = await sql<{
      runs: number;
    }>`select case when is_called then last_value else 0 end::int as runs from ${sql.ref(name)}`.execute(db);
    return rows[0]?.runs ?? 0;
  };
  return { name, count };
}

/** The sessions of the database that are running a statement which contains this text, as a `from` and a `where`. */
const sessionsRunning = (text: string) => sql`
  from pg_stat_activity where datname = current_database() and state = 'active' and query like ${`%${text}%`}
    and pid <> pg_backend_pid()`;

/** Counts the sessions of the database that are running a statement which contains this text. */
export async function running({ db }: TestDatabase, text: string): Promise<number> {
  const { rows } = await sql`select 1 ${sessionsRunning(text)}`.execute(db);
  return rows.length;
}

/** Terminates the sessions that are running a statement that contains this text. */
export async function killRunning({ db }: TestDatabase, text: string): Promise<void> {
  const { rows } = await sql`select pg_terminate_backend(pid) ${sessionsRunning(text)}`.execute(db);
  if (rows.length === 0) throw new Error(`No session is running ${text}.`);
}
