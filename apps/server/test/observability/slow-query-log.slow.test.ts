import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { requestsThatWait } from '../support/locks.ts';
import { startWatchedService, type WatchedService } from '../support/processes/watched-service.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

/** Creates an office while its table is locked, and returns the response. */
async function createSlowly(service: WatchedService): Promise<Response> {
  const { begun } = await database.db.transaction().execute(async (trx) => {
    await sql`lock table office in access exclusive mode`.execute(trx);
    const begun = service.request('POST', '/offices', { name: 'Porto' });
    await expect.poll(() => requestsThatWait(database.db)).toBe(1);
    await sql`select pg_sleep(0.06)`.execute(trx);
    return { begun };
  });
  return begun;
}

it('on a server, a slow statement is logged with its text and the id of its request', async () => {
  await using service = await startWatchedService(database, { ROSTER_SLOW_QUERY_MS: '40' });
  const { headers } = await createSlowly(service);
  // On a busy machine the other statements of the request are slow, too.
  const isIt = (line: Record<string, unknown>) =>
    line.msg === 'slow statement' &&
    line.reqId === headers.get('x-request-id') &&
    String(line.sql).includes('insert into');
  await expect.poll(() => service.lines().filter(isIt)).toHaveLength(1);
});

it('on a server that logs for people, the slow statements of a minute are one line, also when it stops before', async () => {
  const settings = { ROSTER_SLOW_QUERY_MS: '40', ROSTER_LOG_FORMAT: 'pretty' };
  const service = await startWatchedService(database, settings);
  for (let count = 0; count < 3; count += 1) await createSlowly(service);
  await service.close();
  const slow = service.lines().filter(({ msg }) => /slow statement/.test(String(msg)));
  expect(slow).toMatchObject([
    { msg: expect.stringMatching(/^\d+ slow statements, .* ROSTER_LOG_FORMAT=json/) },
  ]);
});
