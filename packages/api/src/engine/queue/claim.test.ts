import { randomUUID } from 'node:crypto';
import { connect, type Database } from '@roster/db';
import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claim, type Lease } from './claim.ts';
import { startPeriodicJob } from './periodic-job.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await sql`create table work (id int primary key, due_at timestamptz not null, claim uuid)`.execute(
    database.db,
  );
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  await sql`truncate work, periodic_job`.execute(database.db);
  await sql`
    insert into work (id, due_at) select id, now() - interval '1 s' from generate_series(1, 12) as id`.execute(
    database.db,
  );
});

/** Claims up to three rows that are due, the greatest first, and returns their numbers. */
async function claimThree(db: Kysely<Database>, lease: Lease): Promise<number[]> {
  const rows = claim({ table: 'work', condition: sql`due_at <= now()`, order: sql`id desc`, max: 3, lease });
  const claimed = await sql<{ id: number }>`
    with claimed as (${rows}) select id from claimed order by id desc`.execute(db);
  return claimed.rows.map(({ id }) => id);
}

const sorted = (ids: number[]) => ids.toSorted((one, other) => one - other);

describe('a claim', () => {
  it('for a time takes the first rows that are due, and gives each to one of many that claim at once', async () => {
    expect(await claimThree(database.db, { ms: 60_000 })).toEqual([12, 11, 10]);
    const claimed = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const own = connect({ connection: database.connection, pool: { max: 1 } });
        const ids: number[] = [];
        for (let more = [0]; more.length > 0; ids.push(...more))
          more = await claimThree(own, { ms: 60_000, id: randomUUID() });
        await own.destroy();
        return ids;
      }),
    );
    expect(sorted(claimed.flat())).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('for a time that has passed is anybody else’s', async () => {
    const [dead, other] = [randomUUID(), randomUUID()];
    expect(await claimThree(database.db, { ms: 0, id: dead })).toEqual([12, 11, 10]);
    expect(await claimThree(database.db, { ms: 60_000, id: other })).toEqual([12, 11, 10]);
    const { rows } = await sql<{ claim: string }>`select distinct claim from work where id > 9`.execute(
      database.db,
    );
    expect(rows).toEqual([{ claim: other }]);
  });

  it('for a transaction leaves its rows to others as soon as that ends, and waits for none meanwhile', async () => {
    await database.db.transaction().execute(async (trx) => {
      expect(await claimThree(trx, 'transaction')).toEqual([12, 11, 10]);
      expect(await claimThree(database.db, { ms: 0 })).toEqual([9, 8, 7]);
    });
    expect(await claimThree(database.db, { ms: 60_000 })).toEqual([12, 11, 10]);
  });
});

describe('a periodic job', () => {
  /** Starts the job on a server; resolves when it has looked whether a run is due. */
  async function startOn(runs: string[], server: string, runsAtStart: boolean): Promise<void> {
    const claimed = Promise.withResolvers<void>();
    const stop = startPeriodicJob(database.db, {
      name: 'work',
      intervalMs: 3_600_000,
      runsAtStart,
      run: async () => void runs.push(server),
      onError: claimed.reject,
    });
    // A run that has begun is waited for.
    claimed.resolve(stop());
    await claimed.promise;
  }

  it('runs on one server in its interval', async () => {
    const runs: string[] = [];
    await Promise.all(['one', 'two', 'three'].map((server) => startOn(runs, server, false)));
    expect(runs).toHaveLength(1);
  });

  it('that each start is a reason for runs on each server that starts', async () => {
    const runs: string[] = [];
    for (const server of ['one', 'two']) await startOn(runs, server, true);
    await startOn(runs, 'three', false);
    expect(runs).toEqual(['one', 'two']);
  });

  it('runs after a crash of PostgreSQL, which empties its table', async () => {
    const runs: string[] = [];
    await startOn(runs, 'before', false);
    await sql`truncate periodic_job`.execute(database.db);
    await startOn(runs, 'after', false);
    expect(runs).toEqual(['before', 'after']);
  });
});
