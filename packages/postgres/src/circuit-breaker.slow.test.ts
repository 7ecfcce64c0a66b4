import { startProxy } from '@roster/local-postgres/testing/proxy';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConnectionLostError, OverloadedError } from './errors.ts';
import { connected, createTestDatabase, read, type TestDatabase } from './testing/driver-helpers.ts';

/** So long that PostgreSQL responds within it on a machine whose cores are all in use. */
const UNRESPONSIVE_MS = 2_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await sql`create table note (text text not null)`.execute(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

const write = (db: Kysely<unknown>) => sql`insert into note values ('x')`.execute(db);
const works = (db: Kysely<unknown>) => Promise.all([read(db, 'select 1'), write(db)]);
const isLost = (error: unknown) => error instanceof ConnectionLostError;

/** The errors of 100 concurrent callers, half of which write; false for one without an error. */
async function errorsOf(db: Kysely<unknown>): Promise<unknown[]> {
  const calls = Array.from({ length: 50 }, () => [read(db, 'select 1'), write(db)]).flat();
  return (await Promise.allSettled(calls)).map((outcome) => outcome.status === 'rejected' && outcome.reason);
}

const isAvailable = (db: Kysely<unknown>) =>
  works(db).then(
    () => true,
    () => false,
  );

describe('while the database is unavailable', () => {
  it.each([
    ['rejects connections', 'cut'],
    ['does not respond', 'stall'],
  ] as const)(
    'and %s, callers are rejected, one probe runs instead of an attempt for each caller, and all are served afterwards',
    async (_, how) => {
      await using proxy = await startProxy(database);
      await using db = connected(proxy, { timeouts: { unresponsiveMs: UNRESPONSIVE_MS, connectMs: 60_000 } });
      await works(db);
      proxy[how]();
      // Those in flight, and those that arrive before the circuit is open.
      expect((await errorsOf(db)).every(isLost)).toBe(true);
      const attempts = proxy.connections();
      const startedMs = performance.now();
      for (let round = 0; round < 5; round += 1) expect((await errorsOf(db)).every(isLost)).toBe(true);
      const tookMs = performance.now() - startedMs;
      // One at once, and up to four a second, however long the callers took.
      expect(proxy.connections() - attempts).toBeLessThanOrEqual(2 + tookMs / 240);
      await proxy.mend();
      await expect.poll(() => isAvailable(db)).toBe(true);
    },
  );

  it('and accepts no more connections, only those who need a new one get an OverloadedError', async () => {
    // Roles belong to the cluster, which other tests share.
    const user = `crowded_${database.connection.database}`;
    await sql`create role ${sql.ref(user)} login connection limit 1`.execute(database.db);
    try {
      await using db = connected(
        { connection: { ...database.connection, user } },
        { pipeline: { connections: 1 } },
      );
      await read(db, 'select 1');
      await expect(write(db)).rejects.toBeInstanceOf(OverloadedError);
      expect(await read(db, 'select 2 as two')).toEqual({ two: 2 });
    } finally {
      await sql`drop role ${sql.ref(user)}`.execute(database.db);
    }
  });
});

describe('a database that is silent for long', () => {
  it('does not open the circuit while it accepts connections: slow statements are answered', async () => {
    await using db = connected(database, { timeouts: { unresponsiveMs: UNRESPONSIVE_MS } });
    const slow = [read(db, 'select pg_sleep(4.5), 1 as one'), sql`select pg_sleep(4.5)`.execute(db)];
    expect((await Promise.allSettled(slow)).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  });
});
