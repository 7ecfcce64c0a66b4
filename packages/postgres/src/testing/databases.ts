import { createDatabase, type TestDatabase as LocalDatabase } from '@roster/local-postgres/testing';
import type { Kysely } from 'kysely';
import { connect } from '../connect.ts';

export interface TestDatabase extends LocalDatabase {
  /** A connection of the test's own, with the defaults of `connect`. */
  db: Kysely<unknown>;
}

/** An empty database and a connection to it; both end when it is disposed of. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const database = await createDatabase();
  const db = connect<unknown>({ connection: database.connection });
  return {
    ...database,
    db,
    [Symbol.asyncDispose]: async () => {
      await db.destroy();
      await database[Symbol.asyncDispose]();
    },
  };
}
