import { connect, migrate } from '@roster/db';
import { Client } from 'pg';
import { parentOf } from '../../harness/src/cpu.ts';
import { startDatabase } from '../../harness/src/database.ts';

/** The PostgreSQL under measurement. */
export interface Bench extends AsyncDisposable {
  /** For DATABASE_URL of the processes. */
  url: string;
  /** A connection of the bench itself. */
  client: Client;
  /** What it calls itself, such as 'PostgreSQL 18.4'. */
  version: string;
}

/** Enough connections for all contestants at once, and the data in memory; durable as PostgreSQL is by itself. */
const SETTINGS = {
  max_connections: '300',
  shared_buffers: '1GB',
  max_wal_size: '8GB',
  checkpoint_timeout: '30min',
};

async function migrated(url: string): Promise<void> {
  const db = connect({ connection: url, pool: { max: 1 }, timeouts: { statementMs: 0 } });
  await migrate(db);
  await db.destroy();
}

/**
 * The database of a run, with all of Roster's tables and none of its records: the one `databaseUrl` names, which
 * has to be empty and yours to lose, or a local one of its own.
 */
export async function openBench(databaseUrl?: string): Promise<Bench> {
  // Whatever was begun is ended in the opposite order, whether at the end of the run or because this fails.
  await using begun = new AsyncDisposableStack();
  const url = databaseUrl ?? begun.use(await startDatabase(SETTINGS)).url;
  await migrated(url);
  const client = new Client({ connectionString: url, application_name: 'roster-bench' });
  await client.connect();
  begun.defer(() => client.end());
  const { rows } = await client.query<{ agents: string; version: string }>(
    `select (select count(*) from agent) as agents, current_setting('server_version') as version`,
  );
  if (Number(rows[0]?.agents) > 0)
    throw new Error('The database holds agents already: the bench needs an empty one.');
  const running = begun.move();
  const version = `PostgreSQL ${rows[0]?.version}`;
  return { url, client, version, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** The postmaster that serves a connection, where it runs on this machine; undefined where PostgreSQL is elsewhere. */
export async function postmasterOf(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return parentOf(rows[0]?.pid ?? 0);
}

/** Deletes what a load has written, so that the next one finds the tables as this one did. */
export async function forgetWrites(client: Client): Promise<void> {
  await client.query(`delete from agent where email like 'ana.figueiredo.%@bench.example'`);
  await client.query('truncate event cascade');
  await client.query('vacuum agent');
  await client.query('checkpoint');
}
