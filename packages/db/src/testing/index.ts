import { createDatabase, type TestDatabase as LocalDatabase } from '@roster/local-postgres/testing';
import type { Kysely } from 'kysely';
import { connect } from '../connect.ts';
import type { Database } from '../tables.ts';
import { TEMPLATE, TEMPLATE_WITH_EVENTS } from './template.ts';

export interface TestDatabase extends LocalDatabase {
  /** A pool of connections with the defaults of `connect`, but for limits of time. */
  db: Kysely<Database>;
}

/** On a machine that others share, a database that answers late has not gone away. */
export const PATIENT_TIMEOUTS = { connectMs: 30_000, statementMs: 30_000, unresponsiveMs: 30_000 };

/**
 * Creates a database with all tables and no records, and connects to it. Disposing of it closes the connections and drops
 * the database. With `requiresEvents`, a change of a record without its event fails.
 */
export async function createTestDatabase({
  requiresEvents = false,
  template = requiresEvents ? TEMPLATE_WITH_EVENTS : TEMPLATE,
}: {
  requiresEvents?: boolean;
  template?: string;
} = {}): Promise<TestDatabase> {
  const database = await createDatabase(template);
  const db = connect({ connection: database.connection, timeouts: PATIENT_TIMEOUTS });
  return {
    ...database,
    db,
    [Symbol.asyncDispose]: async () => {
      await db.destroy();
      await database[Symbol.asyncDispose]();
    },
  };
}

export {
  type PostgresOptions,
  startPrimary,
  startProxy,
  startStandby,
  type TestPostgres,
} from '@roster/local-postgres/testing';
export { requiredColumns } from './required-columns.ts';
