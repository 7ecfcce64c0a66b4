import type { ServiceStatus } from '@roster/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bodyOf, directoryOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { bearer, keyWith } from '../support/keys.ts';
import { personWith } from '../support/people.ts';
import { until } from '../support/webhooks.ts';

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

it('is for callers with status:read that are not limited to offices: admins, and keys that have it', async () => {
  const office = await directoryOf(server).office();
  const statusFor = async (headers: Record<string, string>) =>
    (await server.request('GET', '/status', undefined, headers)).status;
  const limited = [{ role: 'admin' as const, officeIds: [office.id] }];
  expect(await statusFor((await personWith(server, limited)).headers)).toBe(403);
  expect(await statusFor((await personWith(server, [{ role: 'manager' }])).headers)).toBe(403);
  expect(await statusFor((await personWith(server, [{ role: 'admin' }])).headers)).toBe(200);
  expect(await statusFor(bearer((await keyWith(server, ['status:read'])).secret))).toBe(200);
  const key = await keyWith(server, ['status:read'], { officeIds: [office.id] });
  expect(await statusFor(bearer(key.secret))).toBe(403);
});

it('lists every server that runs on the database, and one that has stopped no more', async () => {
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

it('says what PostgreSQL is, that the circuits are closed, and that all migrations have run', async () => {
  const { database, sequencer, standbys } = await statusOf();
  expect(database).toMatchObject({
    circuits: { requests: 'closed', workers: 'closed' },
    migrations: { pending: [], unknown: [], latest: expect.stringMatching(/^\d{4}-/) },
  });
  expect(database.sizeBytes).toBeGreaterThan(1_000_000);
  expect(database.connections.open).toBeGreaterThan(0);
  expect(database.connections.max).toBeGreaterThan(database.connections.open);
  expect(Number(database.version.split('.')[0])).toBeGreaterThan(12);
  expect(sequencer.waiting).toBeGreaterThanOrEqual(0);
  expect(standbys).toEqual([]);
});

it('counts what waits: scheduled changes, jobs and deliveries', async () => {
  await using quiet = await startTestServer();
  const { agent, schedule } = directoryOf(quiet);
  await schedule((await agent()).id);
  const { db } = quiet.database;
  await sql`
    insert into job (id, resource, status, total, batches, created_at, worked_at, change)
    values (gen_random_uuid(), 'agents', 'queued', 0, 0, now() - interval '1 minute', now() + interval '1 hour', '{}')`.execute(
    db,
  );
  const status = await statusOf(quiet);
  expect(status.scheduledChanges).toEqual({ pending: 1, due: 0, oldestDueS: 0 });
  expect(status.jobs.queued + status.jobs.running).toBe(1);
  expect(status.deliveries).toEqual({
    ...{ pending: 0, due: 0, inFlight: 0, oldestDueS: 0, failing: 0, unread: 0 },
  });
});

it('reads the database once for callers of the same second, and is the same for them', async () => {
  const [first, ...others] = await Promise.all([1, 2, 3, 4, 5].map(() => statusOf()));
  for (const other of others) expect(other.asOf).toBe(first?.asOf);
});

it('has no address, user or password of the database', async () => {
  const text = JSON.stringify(await statusOf());
  const { rows } = await sql<{ user: string; name: string }>`
    select current_user as user, current_database() as name`.execute(server.database.db);
  expect(text).not.toContain(rows[0]?.name ?? 'x');
  expect(text).not.toMatch(/postgres(ql)?:\/\//);
});
