import type { Office } from '@roster/api';
import { afterAll, beforeAll, expect } from 'vitest';
import { directoryOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectProblem } from '../support/problems.ts';

export const ifMatch = (tags: string) => ({ 'If-Match': tags });

/** Expects the error of a change to another version than the record has: with the current version and its ETag. */
export async function expectConflict(response: Response, currentVersion: number): Promise<void> {
  expect(response.headers.get('ETag')).toBe(`"${currentVersion}"`);
  const problem = await expectProblem(response, 'version_conflict');
  expect(problem.currentVersion).toBe(currentVersion);
}

/** Two servers on one database for the tests of a file. */
export function useVersions() {
  let server: TestServer;
  let strict: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
    strict = await startTestServer({ isVersionRequired: true, database: server.database, connection: {} });
  });
  afterAll(async () => {
    await strict[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  return {
    server: () => server,
    /** A server that wants to know the version of every change. */
    strict: () => strict,
    /** A new office that has been changed, so that its version is 2. */
    async officeOfVersion2(): Promise<Office> {
      const { id } = await directoryOf(server).office();
      return directoryOf(server).patch('offices', id, { bio: 'changed' });
    },
  };
}
