import { compactEvents, definitions, purgeTombstones } from '@roster/api/testing';
import { connect } from '@roster/db';
import { createTestDatabase, startProxy, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { type Service, type StartOptions, startService } from '../../src/server.ts';
import { bearer, keyWith, statusWith, untilStatus } from '../support/auth/keys.ts';
import { directoryOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const KEY = 'a-key-for-tests-of-deployments-00';

let database: TestDatabase;
afterEach(() => database[Symbol.asyncDispose]());

/** A service as an operator starts it, but in this process. */
const serve = (settings: Record<string, string> = {}, options?: StartOptions) =>
  startService(
    readConfig({ DATABASE_URL: database.url, PORT: '0', ROSTER_LOG_LEVEL: 'silent', ...settings }),
    options,
  );

const askOf = ({ url }: Service): Pick<TestServer, 'request'> => ({
  request: (method, path, body, headers) =>
    fetch(`${url}${path}`, {
      method,
      headers: { ...bearer(KEY), 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
});

describe('servers that start at the same time on an empty database', () => {
  it('are all ready, and one of them created the first key', async () => {
    database = await createTestDatabase({ template: 'template0' });
    const services = await Promise.all(Array.from({ length: 3 }, () => serve({}, { isReadByPeople: true })));
    try {
      const keys = services.flatMap(({ firstKey }) => firstKey?.secret ?? []);
      expect(keys).toHaveLength(1);
      for (const service of services) {
        expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
        expect(await statusWith(askOf(service), keys[0] ?? '')).toBe(200);
      }
    } finally {
      await Promise.all(services.map((service) => service.close()));
    }
  });
});

describe('a server whose output may be kept', () => {
  it('creates no key that would be in it alone, and says so until there is one', async () => {
    database = await createTestDatabase();
    const keysAfter = async (options: StartOptions) => {
      const service = await serve({}, options);
      await service.close();
      const { rows } = await sql`select from api_key`.execute(database.db);
      return { isWithoutKey: service.isWithoutKey, keys: rows.length };
    };
    expect(await keysAfter({ isReadByPeople: false })).toEqual({ isWithoutKey: true, keys: 0 });
    expect(await keysAfter({ isReadByPeople: true })).toEqual({ isWithoutKey: false, keys: 1 });
    expect(await keysAfter({ isReadByPeople: false })).toEqual({ isWithoutKey: false, keys: 1 });
  });
});

describe('servers whose machines have different clocks', () => {
  beforeEach(async () => {
    database = await createTestDatabase();
    vi.useFakeTimers({ toFake: ['Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const clockAt = (offsetMs: number) => vi.setSystemTime(Date.now() + offsetMs);

  it('use the clock of the database: a key rotated on one expires on the other, and times agree', async () => {
    clockAt(5 * MINUTE_MS);
    const ahead = await serve({ ROSTER_ADMIN_KEY: KEY });
    clockAt(-10 * MINUTE_MS);
    const behind = await serve({ ROSTER_ADMIN_KEY: KEY });
    try {
      const { id, secret } = await keyWith(askOf(ahead), ['offices:read']);
      expect(await statusWith(askOf(behind), secret)).toBe(200);
      const rotation = { overlapSeconds: 0 };
      expect((await askOf(ahead).request('PUT', `/keys/${id}/rotate`, rotation)).status).toBe(200);
      await untilStatus(askOf(behind), secret, 401);
      const made = await Promise.all([ahead, behind].map((one) => directoryOf(askOf(one)).office()));
      const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database.db);
      for (const { createdAt } of made) {
        const ageMs = (rows[0]?.now.getTime() ?? 0) - Date.parse(createdAt);
        expect(Math.abs(ageMs)).toBeLessThan(MINUTE_MS);
      }
    } finally {
      await Promise.all([ahead.close(), behind.close()]);
    }
  });

  it('delete nothing before its retention is over by the clock of the database', async () => {
    const first = await serve({ ROSTER_ADMIN_KEY: KEY });
    const { office, remove, put } = directoryOf(askOf(first));
    try {
      const { id } = await office();
      await remove('offices', id);
      clockAt(365 * DAY_MS);
      // It sweeps when it starts, before it is closed.
      await (await serve({ ROSTER_ADMIN_KEY: KEY })).close();
      expect((await put('offices', id, 'restore')).id).toBe(id);
    } finally {
      await first.close();
    }
  });
});

describe('maintenance jobs of several servers at the same time', () => {
  it('delete each expired record once, and write one event for it, while clients write', async () => {
    database = await createTestDatabase({ requiresEvents: true });
    await using one = await startTestServer({ database });
    await using two = await startTestServer({ database, connection: {} });
    const [first, second] = [directoryOf(one), directoryOf(two)];
    const kept = await first.office();
    const gone = await Promise.all(Array.from({ length: 5 }, () => first.office()));
    for (const { id } of gone) await first.remove('offices', id);
    const counted = async () =>
      (await sql`select from event where type = 'office.purged'`.execute(database.db)).rows.length;
    const positioned = async () =>
      (await sql`select from event where position is null`.execute(database.db)).rows.length;
    await expect.poll(positioned).toBe(0);
    const retention = { now: new Date(Date.now() + 31 * DAY_MS), retentionDays: 30 };
    const jobs = [one, two, one, two].map(async () => {
      const own = connect({ connection: database.connection, pool: { max: 1 } });
      const removed = await purgeTombstones(own, definitions, retention);
      await compactEvents(own, retention);
      return own.destroy().then(() => removed);
    });
    for (let version = 2; version <= 6; version += 1) {
      await (version % 2 === 0 ? first : second).patch('offices', kept.id, { name: `Version ${version}` });
    }
    const removed = await Promise.all(jobs);
    expect(removed.reduce((sum, count) => sum + count, 0)).toBe(5);
    expect(await counted()).toBe(5);
    await expect.poll(positioned).toBe(0);
  });

  it('that are suspended delay the positions of events by a second at most', async () => {
    database = await createTestDatabase();
    await using server = await startTestServer({ database, connection: {} });
    let standsStill = false;
    await using proxy = await startProxy(database, {
      mayPass: (response) => {
        // What the log is compacted to has been written, and the commit will never come.
        if (response.includes('UPDATE 1')) {
          standsStill = true;
          proxy.silence();
        }
        return true;
      },
    });
    const { id } = await directoryOf(server).office();
    const positionOf = async (version: number) =>
      (await database.db.selectFrom('event').select('position').where('version', '=', version).execute())[0]
        ?.position;
    await expect.poll(() => positionOf(1)).toBe('1');
    const standing = connect({ connection: proxy.connection, pool: { max: 1 } });
    const retention = { now: new Date(Date.now() + 31 * DAY_MS), retentionDays: 30 };
    const compacting = expect(compactEvents(standing, retention)).rejects.toThrow();
    await expect.poll(() => standsStill).toBe(true);
    await directoryOf(server).patch('offices', id, { name: 'Meanwhile' });
    await expect.poll(() => positionOf(2)).toBe('2');
    await compacting;
    await standing.destroy();
  });
});
