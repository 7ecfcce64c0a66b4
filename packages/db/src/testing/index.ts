import { createDatabase, type TestDatabase as LocalDatabase } from '@roster/local-postgres/testing';
import type { Kysely } from 'kysely';
import { connect } from '../connect.ts';
import type { Database } from '../tables.ts';
import { TEMPLATE, TEMPLATE_WITH_EVENTS } from './template.ts';

export interface TestDatabase extends LocalDatabase {
  /** Has the defaults of `connect`, except for timeouts. */
  db: Kysely<Database>;
}

/** On a shared machine, a slow database is not gone. */
export const PATIENT_TIMEOUTS = { connectMs: 30_000, statementMs: 30_000, unresponsiveMs: 30_000 };

/** With all tables and no records. With `requiresEvents`, changes of records without an event fail. */
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
