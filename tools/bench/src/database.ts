import { chmod, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { connect, migrate } from '@roster/db';
import { Client } from 'pg';
import { startDatabase } from '../../harness/src/database.ts';
import { until } from '../../harness/src/until.ts';

/** The PostgreSQL under measurement. */
export interface Bench {
  /** For DATABASE_URL of the processes. */
  url: string;
  /** A connection of the bench itself. */
  client: Client;
  /** The process id of the postmaster. */
  postmaster: number;
  /** A directory for files of the run, which PostgreSQL may write to. */
  directory: string;
}

const COMPARING_MS = 24 * 3_600_000;
const STARTING_MS = 60_000;

/** Enough connections for all contestants at once, and the data in memory; durable as PostgreSQL is by itself. */
const SETTINGS = {
  max_connections: '300',
  shared_buffers: '1GB',
  max_wal_size: '8GB',
  checkpoint_timeout: '30min',
};

/**
 * Runs something on a local PostgreSQL with all of Roster's tables and none of its records, which is gone afterwards. Throws if it is
 * interrupted (SIGINT, SIGTERM), so that the owner of what was started ends it.
 */
export async function withBench<Result>(run: (bench: Bench) => Promise<Result>): Promise<Result> {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'roster-bench-'));
  // If root runs this, PostgreSQL runs as the user nobody.
  await chmod(directory.path, 0o777);
  await using database = await startDatabase(SETTINGS);
  const { url, pid: postmaster } = database;
  {
    await using db = connect({ connection: url, pool: { max: 1 }, timeouts: { statementMs: 0 } });
    await migrate(db);
  }
  const client = new Client({ connectionString: url, application_name: 'roster-bench' });
  await client.connect();
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => reject(new Error(`stopped by ${signal}`)));
  });
  try {
    return await Promise.race([run({ url, client, postmaster, directory: directory.path }), interrupted]);
  } finally {
    await client.end();
  }
}

/** Waits until Roster has compared all records with each other, as it does once in the background. */
export async function waitUntilCompared(client: Client): Promise<void> {
  const isCompared = async () =>
    (await client.query('select from comparison having bool_and(is_complete)')).rows.length > 0;
  await until('all records are compared', isCompared, { withinMs: COMPARING_MS, everyMs: 500 });
}

/** Ends that comparison as if it had found nothing, also in what will be written: a million records take hours of it. */
export async function skipComparing(client: Client): Promise<void> {
  const isSkipped = async () =>
    (await client.query('update comparison set is_complete = true, position = 9000000000000000000'))
      .rowCount !== 0;
  await until('the comparison has begun', isSkipped, { withinMs: STARTING_MS, everyMs: 100 });
}

/** Deletes what a load has written, so that the next one finds the tables as this one did. */
export async function forgetWrites(client: Client): Promise<void> {
  await client.query(`delete from agent where email like 'ana.figueiredo.%@bench.example'`);
  await client.query('truncate event cascade');
  await client.query('vacuum agent');
  await client.query('checkpoint');
}
