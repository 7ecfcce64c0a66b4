import type { Office } from '@roster/api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { directoryOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectProblem } from '../support/problems.ts';

let server: TestServer;
/** A server that wants to know the version of every change. */
let strict: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  strict = await startTestServer({ isVersionRequired: true, database: server.database, connection: {} });
});
afterAll(async () => {
  await strict[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** A new office that has been changed, so that its version is 2. */
async function officeOfVersion2(): Promise<Office> {
  const { id } = await directoryOf(server).office();
  return directoryOf(server).patch('offices', id, { bio: 'changed' });
}

const ifMatch = (tags: string) => ({ 'If-Match': tags });

/** Expects the error of a change to another version than the record has: with the current version and its ETag. */
async function expectConflict(response: Response, currentVersion: number): Promise<void> {
  expect(response.headers.get('ETag')).toBe(`"${currentVersion}"`);
  const problem = await expectProblem(response, 'version_conflict');
  expect(problem.currentVersion).toBe(currentVersion);
}

it('lets one of 50 clients with the same ETag succeed, and returns a conflict to the 49 others', async () => {
  const { id } = await officeOfVersion2();
  const racers = Array.from({ length: 50 }, (_, index) =>
    (index % 2 ? strict : server).request(
      'PATCH',
      `/offices/${id}`,
      { bio: `racer ${index}` },
      ifMatch('"2"'),
    ),
  );
  const responses = await Promise.all(racers);
  const winners = responses.filter(({ status }) => status === 200);
  expect(winners).toHaveLength(1);
  for (const response of responses) if (response.status !== 200) await expectConflict(response, 3);
  const [winner] = winners;
  expect(await directoryOf(server).get('offices', id)).toEqual(winner && (await winner.json()));
});
