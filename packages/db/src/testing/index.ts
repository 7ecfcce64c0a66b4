import { createDatabase, type TestDatabase as LocalDatabase } from '@roster/local-postgres/testing';
import type { Kysely } from 'kysely';
import { connect } from '../connect.ts';
import type { Database } from '../tables.ts';
import { demandEvents } from './audit.ts';
import { TEMPLATE } from './template.ts';

export interface TestDatabase extends LocalDatabase {
  /** A connection of the test's own, with the defaults of `connect`. */
  db: Kysely<Database>;
}

/**
 * A database with all tables and no records, and a connection to it; both end when it is disposed of. With `isAudited`
 * it lets no change of a record commit without its event.
 */
export async function createTestDatabase({
  template = TEMPLATE,
  isAudited = false,
} = {}): Promise<TestDatabase> {
  const database = await createDatabase(template);
  const db = connect({ connection: database.connection });
  if (isAudited) await demandEvents(db);
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
