import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { afterAll, beforeAll } from 'vitest';
import { type Caller, callerIn } from './caller.ts';

/** A database for the tests of a file, and a caller with all scopes in it. */
export function useDatabase(options: Parameters<typeof createTestDatabase>[0] = {}) {
  let database: TestDatabase;
  let caller: Caller;
  beforeAll(async () => {
    database = await createTestDatabase(options);
    caller = callerIn(database.db);
  });
  afterAll(() => database[Symbol.asyncDispose]());
  return { database: () => database, caller: () => caller };
}
