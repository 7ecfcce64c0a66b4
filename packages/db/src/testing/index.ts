import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { Client } from 'pg';
import { inject } from 'vitest';
import { connect } from '../connect.ts';
import type { Database } from '../tables.ts';
import { demandEvents } from './audit.ts';
import { TEMPLATE } from './cluster.ts';

export interface TestDatabase extends AsyncDisposable {
  db: Kysely<Database>;
  /** What `connect` takes, for another connection to the same database. */
  connection: { host: string; port: number; user: string; database: string };
  /** The same as a URL, for DATABASE_URL of a process. */
  url: string;
}

async function onCluster(statement: string): Promise<void> {
  const client = new Client({ ...inject('cluster'), database: 'postgres' });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * Drops a database once nobody is connected. Not `with (force)`: that races with connections just being closed
 * and raises their errors in whoever closed them.
 */
async function dropWhenFree(database: string): Promise<void> {
  const OBJECT_IN_USE = '55006';
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await onCluster(`drop database if exists ${database}`);
    } catch (error) {
      const isInUse = error instanceof Error && 'code' in error && error.code === OBJECT_IN_USE;
      if (!isInUse || attempt === 50) throw error;
      await setTimeout(100);
    }
  }
}

/**
 * A database of its own, all tables and no records; dropped when disposed of. With `isAudited` it lets no change of
 * a record commit without its event.
 */
export async function createTestDatabase({
  template = TEMPLATE,
  isAudited = false,
} = {}): Promise<TestDatabase> {
  const database = `roster_test_${randomBytes(6).toString('hex')}`;
  await onCluster(`create database ${database} template ${template}`);
  const cluster = inject('cluster');
  const connection = { ...cluster, database };
  const db = connect({ connection });
  if (isAudited) await demandEvents(db);
  const url = new URL('postgres://localhost');
  url.username = cluster.user;
  url.password = cluster.password ?? '';
  url.pathname = database;
  url.searchParams.set('host', cluster.host);
  url.searchParams.set('port', String(cluster.port));
  return {
    db,
    connection,
    url: url.href,
    [Symbol.asyncDispose]: async () => {
      await db.destroy();
      await dropWhenFree(database);
    },
  };
}

export { startProxy } from './proxy.ts';
export { type PostgresOptions, startPrimary, startStandby, type TestPostgres } from './standby.ts';
