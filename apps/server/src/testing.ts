import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { buildApp } from './app.ts';

export interface TestServer extends AsyncDisposable {
  /** Where it listens, without a slash at the end. */
  url: string;
  database: TestDatabase;
}

/** A real server on a free port over a database of its own; both are gone when it is disposed of. */
export async function startTestServer({ now }: { now?: () => Date } = {}): Promise<TestServer> {
  const database = await createTestDatabase();
  const app = await buildApp({ db: database.db, retentionDays: 30, logLevel: 'silent', ...(now && { now }) });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    database,
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await database[Symbol.asyncDispose]();
    },
  };
}
