import { startProxy } from '@roster/local-postgres/testing/proxy';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConnectionLostError, OverloadedError } from './errors.ts';
import { createTestDatabase, type TestDatabase } from './testing/databases.ts';
import { connected, read } from './testing/driving.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await sql`create table note (text text not null)`.execute(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

const write = (db: Kysely<unknown>) => sql`insert into note values ('x')`.execute(db);
const works = (db: Kysely<unknown>) => Promise.all([read(db, 'select 1'), write(db)]);
const isLost = (error: unknown) => error instanceof ConnectionLostError;

/** A hundred callers at once, half of whom write: what each was refused with. */
async function refusals(db: Kysely<unknown>): Promise<unknown[]> {
  const asked = Array.from({ length: 50 }, () => [read(db, 'select 1'), write(db)]).flat();
  return (await Promise.allSettled(asked)).map((outcome) => outcome.status === 'rejected' && outcome.reason);
}

const isServed = (db: Kysely<unknown>) =>
  works(db).then(
    () => true,
    () => false,
  );

describe('a database that is away', () => {
  it.each([
    ['refuses connections', 'cut'],
    ['lets them wait', 'stall'],
  ] as const)(
    'and %s costs one probe, not one attempt for each caller, and serves all when it is back',
    async (_, how) => {
      await using proxy = await startProxy(database);
      await using db = connected(proxy, { patienceMs: 100, connectTimeoutMs: 5_000 });
      await works(db);
      proxy[how]();
      // Those in flight when it goes, and those who come before that is known.
      expect((await refusals(db)).every(isLost)).toBe(true);
      const attempts = proxy.connections();
      const startedMs = performance.now();
      for (let turn = 0; turn < 5; turn += 1) expect((await refusals(db)).every(isLost)).toBe(true);
      const tookMs = performance.now() - startedMs;
      // One at once, and then one each time the patience of the one before is over.
      expect(proxy.connections() - attempts).toBeLessThanOrEqual(1 + tookMs / 100);
      await proxy.mend();
      await expect.poll(() => isServed(db), { timeout: 2_000 }).toBe(true);
    },
  );

  it('and takes no more connections overloads those who need one, and nobody else', async () => {
    // Roles belong to the whole cluster, which other tests share.
    const user = `crowded_${database.connection.database}`;
    await sql`create role ${sql.ref(user)} login connection limit 1`.execute(database.db);
    try {
      await using db = connected({ connection: { ...database.connection, user } }, { pipelines: 1 });
      await read(db, 'select 1');
      await expect(write(db)).rejects.toBeInstanceOf(OverloadedError);
      expect(await read(db, 'select 2 as two')).toEqual({ two: 2 });
    } finally {
      await sql`drop role ${sql.ref(user)}`.execute(database.db);
    }
  });
});

describe('a database that says nothing for long', () => {
  it('is not away while it takes connections: slow statements are answered', async () => {
    await using db = connected(database, { patienceMs: 50 });
    const slow = [read(db, 'select pg_sleep(0.4), 1 as one'), sql`select pg_sleep(0.4)`.execute(db)];
    expect((await Promise.allSettled(slow)).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  });
});
