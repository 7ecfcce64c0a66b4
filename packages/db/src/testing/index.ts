import { createDatabase, type TestDatabase as LocalDatabase } from '@roster/local-postgres/testing';
import type { Kysely } from 'kysely';
import { connect } from '../connect.ts';
import type { Database } from '../tables.ts';
import { TEMPLATE, TEMPLATE_WITH_EVENTS } from './template.ts';

export interface TestDatabase extends LocalDatabase {
  /** A pool of connections with the defaults of `connect`. */
  db: Kysely<Database>;
}

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
  const db = connect({ connection: database.connection });
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
