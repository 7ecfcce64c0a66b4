import type { ServiceStatus } from '@roster/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bodyOf, directoryOf } from '../../test/support/fixtures.ts';
import { startTestServer, type TestServer } from '../../test/support/index.ts';
import { until } from '../../test/support/webhooks.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const statusOf = async (asked: Pick<TestServer, 'request'> = server) => {
  const response = await asked.request('GET', '/status');
  expect(response.status).toBe(200);
  return bodyOf<ServiceStatus>(response);
};

it('lists every server that runs on the database, and one that has stopped no more', async () => {
  await until(async () => (await statusOf()).servers.length === 1, 'the first server');
  const first = await statusOf();
  expect(first.servers.map(({ id }) => id)).toEqual([first.server.id]);
  {
    await using second = await startTestServer({ database: server.database });
    await until(async () => (await statusOf(second)).servers.length === 2, 'the second server');
    const seen = await statusOf(second);
    expect(seen.servers.map(({ id }) => id)).toContain(first.server.id);
    expect(seen.server.id).not.toBe(first.server.id);
  }
  await until(async () => (await statusOf()).servers.length === 1, 'the end of the second server');
});

it('a server that was not seen for 15 seconds is not listed, and its row is deleted', async () => {
  const { db } = server.database;
  await sql`
    insert into running_server (id, host, pid, version, started_at, seen_at)
    values (gen_random_uuid(), 'gone', 1, '0.1.0', now(), now() - interval '16 s')`.execute(db);
  const status = await statusOf();
  expect(status.servers.map(({ host }) => host)).not.toContain('gone');
  const left = async () =>
    (await sql`select from running_server where host = 'gone'`.execute(db)).rows.length;
  await until(async () => (await left()) === 0, 'the deletion of the row');
});

it('counts what waits: scheduled changes, jobs and deliveries', async () => {
  await using quiet = await startTestServer();
  const { agent, schedule } = directoryOf(quiet);
  await schedule((await agent()).id);
  const { db } = quiet.database;
  // A job of a resource that only a later release knows waits for a server of that.
  await sql`alter table job drop constraint job_resource_check`.execute(db);
  await sql`
    insert into job (id, resource, status, total, batches, created_at, worked_at, change)
    values (gen_random_uuid(), 'later', 'queued', 0, 0, now(), now(), '{}')`.execute(db);
  const status = await statusOf(quiet);
  expect(status.scheduledChanges).toEqual({ pending: 1, due: 0, oldestDueS: 0 });
  expect(status.jobs.queued + status.jobs.running).toBe(1);
  expect(status.deliveries).toEqual({
    pending: 0,
    due: 0,
    inFlight: 0,
    oldestDueS: 0,
    lagS: 0,
    failingLagS: 0,
    failing: 0,
    unread: 0,
  });
});
