import type { ServiceStatus } from '@roster/api';
import { createStatusReader, describeServer } from '@roster/api/server';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bearer, keyWith } from '../support/auth/keys.ts';
import { personWith } from '../support/auth/people.ts';
import { bodyOf, directoryOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

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

it('says what PostgreSQL is, that the circuits are closed, and that all migrations have run', async () => {
  const { database, sequencer } = await statusOf();
  expect(database).toMatchObject({
    circuits: { requests: 'closed', workers: 'closed' },
    migrations: { pending: [], unknown: [], latest: expect.stringMatching(/^\d{4}-/) },
  });
  expect(database.sizeBytes).toBeGreaterThan(1_000_000);
  expect(database.connections.open).toBeGreaterThan(0);
  expect(database.connections.max).toBeGreaterThan(database.connections.open);
  expect(Number(database.version.split('.')[0])).toBeGreaterThan(12);
  expect(sequencer.waiting).toBeGreaterThanOrEqual(0);
});

it('reads the database once for callers of the same second, and is the same for them', async () => {
  const { db } = server.database;
  const now = () => new Date();
  const read = createStatusReader({
    databases: { requests: db, workers: db },
    server: describeServer({ version: '1.2.3', startedAt: now() }),
    now,
  });
  const first = read();
  expect(read()).toBe(first);
  expect((await first).server.version).toBe('1.2.3');
});

it('has no address, user or password of the database', async () => {
  const text = JSON.stringify(await statusOf());
  const { rows } = await sql<{ user: string; name: string }>`
    select current_user as user, current_database() as name`.execute(server.database.db);
  expect(text).not.toContain(rows[0]?.name ?? 'x');
  expect(text).not.toMatch(/postgres(ql)?:\/\//);
});
