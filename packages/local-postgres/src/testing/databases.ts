import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { inject } from 'vitest';
import type { LocalPostgresConnection } from '../index.ts';
import type {} from './cluster.ts';
import { withClient } from './standby.ts';

export interface TestDatabase extends AsyncDisposable {
  connection: LocalPostgresConnection;
  url: string;
}

const OBJECT_IN_USE = '55006';
const DROP_ATTEMPTS = 50;

async function runOnCluster(statement: string): Promise<void> {
  await withClient({ ...inject('cluster'), database: 'postgres' }, (client) => client.query(statement));
}

/** `with (force)` would race with closing connections and raise errors in their process. */
async function dropWhenFree(database: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnCluster(`drop database if exists ${database}`);
    } catch (error) {
      const isInUse = error instanceof Error && 'code' in error && error.code === OBJECT_IN_USE;
      if (!isInUse || attempt === DROP_ATTEMPTS) throw error;
      await setTimeout(100);
    }
  }
}

/** Dropped when disposed of. `template` defaults to PostgreSQL's empty one. */
export async function createDatabase(template = 'template1'): Promise<TestDatabase> {
  const database = `test_${randomBytes(6).toString('hex')}`;
  // Copying files takes a fifth of the work of the default, through the log.
  await runOnCluster(`create database ${database} template ${template} strategy file_copy`);
  const cluster = inject('cluster');
  const url = new URL('postgres://localhost');
  url.username = cluster.user;
  url.password = cluster.password ?? '';
  url.pathname = database;
  url.searchParams.set('host', cluster.host);
  url.searchParams.set('port', String(cluster.port));
  return {
    connection: { ...cluster, database },
    url: url.href,
    [Symbol.asyncDispose]: () => dropWhenFree(database),
  };
}
