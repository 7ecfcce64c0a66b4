import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { connect } from '../connect.ts';
import { migrate } from '../migrate.ts';

/** The migrated database that the databases of tests are copied from. */
export const TEMPLATE = 'roster_test_template';

/** Vitest's global setup, after the one that provides the cluster: creates and migrates the template. */
export default async function setup(project: TestProject): Promise<void> {
  const { cluster } = project.getProvidedContext();
  const client = new Client({ ...cluster, database: 'postgres' });
  await client.connect();
  try {
    await client.query(`drop database if exists ${TEMPLATE}`);
    await client.query(`create database ${TEMPLATE}`);
  } finally {
    await client.end();
  }
  await using db = connect({ connection: { ...cluster, database: TEMPLATE }, timeouts: { statementMs: 0 } });
  await migrate(db);
}
