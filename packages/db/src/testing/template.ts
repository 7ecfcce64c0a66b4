import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { connect } from '../connect.ts';
import { migrate } from '../migrate.ts';

/** The migrated database that the database of each test file is copied from. */
export const TEMPLATE = 'roster_test_template';

/** Vitest's global set-up, after the one that provides the cluster. */
export default async function setup(project: TestProject): Promise<void> {
  const { cluster } = project.getProvidedContext();
  const client = new Client({ ...cluster, database: 'postgres' });
  await client.connect();
  await client.query(`drop database if exists ${TEMPLATE}`);
  await client.query(`create database ${TEMPLATE}`);
  await client.end();
  const db = connect({ connection: { ...cluster, database: TEMPLATE }, statementTimeoutMs: 0 });
  await migrate(db);
  await db.destroy();
}
