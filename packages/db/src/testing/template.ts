import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { provideCluster, type TestCluster } from '@roster/local-postgres/testing/cluster';
import { withClient } from '@roster/local-postgres/testing/standby';
import type { TestProject } from 'vitest/node';
import { connect } from '../connect.ts';
import { migrate } from '../migrate.ts';
import { requireEvents } from './require-events.ts';

export const TEMPLATE = 'roster_test_template';

export const TEMPLATE_WITH_EVENTS = 'roster_test_template_events';

async function prepare(cluster: TestCluster): Promise<void> {
  await withClient({ ...cluster, database: 'postgres' }, async (client) => {
    await client.query(`drop database if exists ${TEMPLATE}`);
    await client.query(`create database ${TEMPLATE}`);
    {
      await using db = connect({
        connection: { ...cluster, database: TEMPLATE },
        timeouts: { statementMs: 0 },
      });
      await migrate(db);
    }
    await client.query(`drop database if exists ${TEMPLATE_WITH_EVENTS}`);
    await client.query(`create database ${TEMPLATE_WITH_EVENTS} template ${TEMPLATE}`);
    await using db = connect({ connection: { ...cluster, database: TEMPLATE_WITH_EVENTS } });
    await requireEvents(db);
  });
}

async function digestSources(): Promise<string> {
  const directory = join(import.meta.dirname, '..');
  const names = await readdir(directory, { recursive: true });
  const hash = createHash('sha256');
  for (const name of names.filter((path) => /\.(ts|sql)$/.test(path) && !path.endsWith('.test.ts')).sort()) {
    hash.update(name).update(await readFile(join(directory, name)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Vitest's global setup: one PostgreSQL with the templates for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  return provideCluster(project, { name: `migrated-${await digestSources()}`, prepare });
}
