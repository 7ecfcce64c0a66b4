import { randomUUID } from 'node:crypto';
import { type Scope, scopes } from '@roster/api';
import { createAuthenticator, createFirstKey } from '@roster/api/server';
import { connect, type Database, listen } from '@roster/db';
import { createTestDatabase, startProxy } from '@roster/db/testing';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { bearer, keyWith, statusWith, unknownSecret, untilStatus } from '../support/auth/keys.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { startServiceProcess } from '../support/processes/service-process.ts';

let one: TestServer;
let two: TestServer;
beforeAll(async () => {
  one = await startTestServer();
  two = await startTestServer({ database: one.database, connection: {} });
});
afterAll(async () => {
  await two[Symbol.asyncDispose]();
  await one[Symbol.asyncDispose]();
});

/** Ends the connections on which servers listen for changes. Returns how many there were. */
async function cutListeners(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'roster listener' and datname = current_database()`.execute(db);
  return rows.length;
}

async function countListeners(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity
    where application_name = 'roster listener' and datname = current_database()`.execute(db);
  return rows.length;
}

const changes = {
  revoked: ['PUT', '/revoke', undefined, 401],
  narrowed: ['PATCH', '', { scopes: ['agents:read'] }, 403],
  expired: ['PATCH', '', { expiresAt: '2020-01-01T00:00:00Z' }, 401],
  rotated: ['PUT', '/rotate', { overlapSeconds: 0 }, 401],
} as const;

/** Changes a key on one server that the other has just used, and waits until that has noticed. */
async function heardOf(change: keyof typeof changes, disturb: () => Promise<unknown>): Promise<void> {
  const [method, action, body, status] = changes[change];
  const { id, secret } = await keyWith(one, ['offices:read']);
  expect(await statusWith(two, secret)).toBe(200);
  await disturb();
  expect(await statusWith(two, secret)).toBe(200);
  expect((await one.request(method, `/keys/${id}${action}`, body)).status).toBe(200);
  await untilStatus(two, secret, status);
}

describe.each(Object.keys(changes) as (keyof typeof changes)[])(
  'a key that was %s on one server stops within a second on another',
  (change) => {
    it('as a rule', async () => {
      await heardOf(change, async () => undefined);
    });

    it('when the connection on which that hears of it was cut', async () => {
      await heardOf(change, () => cutListeners(one.database.db));
    });

    it('while that connection cannot be made again', async () => {
      const { db, connection } = one.database;
      await using outside = connect({ connection: { ...connection, database: 'postgres' } });
      const name = sql.id(connection.database);
      const allow = (isAllowed: boolean) =>
        sql`alter database ${name} with allow_connections ${sql.raw(String(isAllowed))}`.execute(outside);
      try {
        await heardOf(change, async () => {
          await allow(false);
          expect(await cutListeners(db)).toBeGreaterThan(0);
          await expect.poll(() => countListeners(db)).toBe(0);
        });
        expect(await countListeners(db)).toBe(0);
      } finally {
        await allow(true);
      }
    });
  },
);

it.each(Object.keys(changes) as (keyof typeof changes)[])(
  'a key that was %s is not accepted again by the server that answered the change, though NOTIFY does not arrive',
  async (change) => {
    const { database } = one;
    await using proxy = await startProxy(database);
    const stopped = new Date();
    // Requests reach the database all the same: only the workers, which listen, go through the proxy. The clock stands still,
    // so that nothing cached is too old.
    await using server = await startTestServer({
      now: () => stopped,
      database,
      workersConnection: proxy.connection,
    });
    const [method, action, body, status] = changes[change];
    const headers = { 'Idempotency-Key': randomUUID() };
    const { id, secret } = await keyWith(server, ['offices:read']);
    proxy.stall();
    expect(await statusWith(server, secret)).toBe(200);
    const changed = await server.request(
      method,
      `/keys/${id}${action}`,
      body,
      method === 'PATCH' ? headers : {},
    );
    expect(changed.status).toBe(200);
    expect(await statusWith(server, secret)).toBe(status);
    proxy.cut();
  },
);

it('stops a revoked key within a second when the network to PostgreSQL has died without a word', async () => {
  const { db } = one.database;
  await using proxy = await startProxy(one.database);
  const listener = listen({
    connection: proxy.connection,
    channels: { roster_keys: () => authenticator.invalidate() },
  });
  const authenticator = createAuthenticator({
    db,
    now: () => new Date(),
    sessionIdleMs: 60_000,
    isListening: listener.isListening,
  });
  await expect.poll(listener.isListening).toBe(true);
  const { id, secret } = await keyWith(one, ['offices:read']);
  const { Authorization } = bearer(secret);
  expect((await authenticator.callerOf(Authorization)).id).toBe(id);
  proxy.stall();
  await one.request('PUT', `/keys/${id}/revoke`);
  const isRejected = () =>
    authenticator.callerOf(Authorization).then(
      () => false,
      () => true,
    );
  await expect.poll(isRejected, { timeout: 1_000, interval: 10 }).toBe(true);
  await listener.close();
});

it('goes on hearing after its connection was cut many times', async () => {
  const { db } = one.database;
  for (let count = 0; count < 3; count += 1) {
    await expect.poll(() => countListeners(db)).toBe(2);
    await cutListeners(db);
  }
  await expect.poll(() => countListeners(db)).toBe(2);
  await heardOf('revoked', async () => undefined);
});

it('handles many requests at once with one key that is not cached yet, and with one that does not exist', async () => {
  const { secret } = await keyWith(one, ['offices:read']);
  const unknown = unknownSecret();
  const requests = Array.from({ length: 50 }, () => [statusWith(two, secret), statusWith(two, unknown)]);
  const statuses = await Promise.all(requests.flat());
  expect([...new Set(statuses)].sort()).toEqual([200, 401]);
  expect(statuses.filter((status) => status === 200)).toHaveLength(50);
});

describe('ROSTER_ADMIN_KEY', () => {
  it('opens everything, as it is and no other way', async () => {
    const { key } = one;
    for (const [secret, status] of [
      [key, 200],
      [`${key}x`, 401],
      [key.slice(0, -1), 401],
      [key.toUpperCase(), 401],
    ] as const) {
      expect(await statusWith(one, secret), secret).toBe(status);
    }
    expect((await keyWith(one, scopes)).scopes).toEqual(scopes);
  });

  it.each(['x'.repeat(31), `${'x'.repeat(40)} x`, `${'x'.repeat(40)}é`])('must be a secret: %j', (key) => {
    expect(() => readConfig({ ROSTER_ADMIN_KEY: key })).toThrow('ROSTER_ADMIN_KEY');
  });
});

describe('the first key', () => {
  it('is made once when ten servers start at once on a new database', async () => {
    await using database = await createTestDatabase();
    const shown: string[] = [];
    const starts = Array.from({ length: 10 }, async () => {
      const db = connect({ connection: database.connection, pool: { max: 1 } });
      const beforeCommit = async (secret: string) => void shown.push(secret);
      return createFirstKey(db, { now: new Date(), beforeCommit }).finally(() => db.destroy());
    });
    const made = (await Promise.all(starts)).filter((key) => key !== undefined);
    expect(made).toHaveLength(1);
    expect(shown).toEqual([made[0]?.secret]);
    expect(made[0]?.scopes satisfies Scope[] | undefined).toEqual(scopes);
    await using server = await startTestServer({ database });
    expect(await statusWith(server, made[0]?.secret ?? '')).toBe(200);
  });

  it('is not created if its secret cannot be saved', async () => {
    await using database = await createTestDatabase();
    const beforeCommit = () => Promise.reject(new Error('the disk is full'));
    await expect(createFirstKey(database.db, { now: new Date(), beforeCommit })).rejects.toThrow(
      'disk is full',
    );
    expect(
      await createFirstKey(database.db, { now: new Date(), beforeCommit: async () => undefined }),
    ).toBeDefined();
  });
});

it('shows a secret once: no later response, no log line and no column of the database contains it', async () => {
  await using database = await createTestDatabase();
  const key = `admin-${randomUUID()}`;
  const settings = { ROSTER_LOG_LEVEL: 'trace' };
  await using service = await startServiceProcess({ databaseUrl: database.url, key, settings });
  const { id, secret } = await keyWith(service, ['offices:read', 'keys:manage']);
  const rotated = await service.request('PUT', `/keys/${id}/rotate`, {});
  const { secret: next } = (await rotated.json()) as { secret: string };
  const responses: string[] = [];
  const ask = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
    const response = await service.request(method, path, body, headers);
    responses.push(JSON.stringify([...response.headers]), await response.text());
  };
  for (const own of [secret, next]) {
    await ask('GET', '/offices', undefined, bearer(own));
    await ask('POST', '/offices', { name: 'x' }, bearer(own));
    await ask('GET', '/offices?limit=no', undefined, bearer(own));
    await ask('GET', '/offices', undefined, bearer(`${own}x`));
    await ask('GET', '/offices', undefined, { Authorization: `${own} ${own}` });
    await ask('GET', '/trpc/keys.list?input=%7B%7D', undefined, bearer(own));
    await ask('PUT', `/keys/${id}/rotate`, { overlapSeconds: 'no' }, bearer(own));
    await ask('POST', '/keys', { name: 'Kept', scopes }, { 'Idempotency-Key': 'kept', ...bearer(own) });
  }
  await ask('GET', `/keys/${id}`);
  await ask('GET', '/keys');
  await ask('PATCH', `/keys/${id}`, { name: 'Renamed' });
  await ask('PUT', `/keys/${id}/revoke`);
  await ask('GET', '/offices', undefined, bearer(secret));
  const { rows } = await sql<{ text: string }>`
    select query_to_xml('select * from ' || quote_ident(tablename), true, false, '')::text as text
    from pg_tables where schemaname = 'public'`.execute(database.db);
  const stored = rows.map(({ text }) => text).join('\n');
  // The log is written some lines at a time.
  await expect.poll(service.output).toContain(`"path":"/keys/${id}"`);
  expect(stored).toContain(secret.slice(0, 12));
  for (const hidden of [secret, next, key].map((whole) => whole.slice(13))) {
    expect(responses.join('\n')).not.toContain(hidden);
    expect(service.output()).not.toContain(hidden);
    expect(stored).not.toContain(hidden);
  }
});
