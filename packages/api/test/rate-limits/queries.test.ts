import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  deleteExpiredRates,
  type RateReport,
  syncCallerRates,
  unregisterServer,
} from '../../src/rate-limits/queries.ts';

const MINUTE_MS = 60_000;
const WINDOW_MS = 60 * MINUTE_MS;
const FIRST = '00000000-0000-4000-8000-000000000001';
const SECOND = '00000000-0000-4000-8000-000000000002';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database[Symbol.asyncDispose]());

const report = (more: Partial<RateReport> = {}): RateReport => ({
  ...{ caller: 'ana', ageMs: 0, spentMs: 0, debtMs: 0 },
  ...more,
});

/** The database rounds to a millisecond. */
const minutes = (timeMs: number) => Math.ceil((timeMs - 1) / MINUTE_MS);

/** Synchronises a server, and returns the answer with the debts by their callers, rounded up to minutes. */
async function sync(server: string, reports: RateReport[] = [], changedFrom = '0') {
  const answer = await syncCallerRates(database.db, { server, changedFrom, reports });
  const debts = answer.debts.map(([caller, debtMs]) => [caller, minutes(debtMs)]);
  return { ...answer, debts: Object.fromEntries(debts) as Record<string, number> };
}

describe('a synchronisation', () => {
  it('adds the counts of all servers and returns the sum to each', async () => {
    expect((await sync(FIRST, [report({ spentMs: 20 * MINUTE_MS, debtMs: 20 * MINUTE_MS })])).debts).toEqual({
      ana: 20,
    });
    const both = [
      report({ spentMs: 30 * MINUTE_MS, debtMs: 30 * MINUTE_MS }),
      report({ caller: 'rui', spentMs: 5 * MINUTE_MS }),
    ];
    expect((await sync(SECOND, both)).debts).toEqual({ ana: 50, rui: 5 });
    expect((await sync(FIRST)).debts).toEqual({ ana: 50, rui: 5 });
  });

  it('counts a request from the time at which it was made', async () => {
    const { debts } = await sync(FIRST, [
      report({ spentMs: 20 * MINUTE_MS, ageMs: 5 * MINUTE_MS, debtMs: 12 * MINUTE_MS }),
    ]);
    expect(debts).toEqual({ ana: 15 });
  });

  it('accepts a larger debt and never lowers one', async () => {
    await sync(FIRST, [report({ debtMs: 40 * MINUTE_MS })]);
    expect((await sync(SECOND, [report({ debtMs: 10 * MINUTE_MS })])).debts).toEqual({ ana: 40 });
  });

  it('returns the changes since the last one, and everything to an unknown server', async () => {
    const started = await sync(FIRST);
    expect([started.isNew, started.debts]).toEqual([true, {}]);
    await sync(SECOND, [report({ spentMs: 9 * MINUTE_MS })]);
    const changed = await sync(FIRST, [], started.changedFrom);
    expect([changed.isNew, changed.debts]).toEqual([false, { ana: 9 }]);
    // What a transaction has changed is read again for as long as an older one is open, in any database of the cluster.
    let { changedFrom } = changed;
    const debtsSince = async () => {
      const answer = await sync(FIRST, [], changedFrom);
      changedFrom = answer.changedFrom;
      return answer.debts;
    };
    await expect.poll(debtsSince).toEqual({});
    await unregisterServer(database.db, FIRST);
    const again = await sync(FIRST, [], changedFrom);
    expect([again.isNew, again.debts]).toEqual([true, { ana: 9 }]);
  });

  it('misses no change of a transaction that commits after later ones', async () => {
    const { changedFrom } = await sync(FIRST);
    const slow = await database.db.startTransaction().execute();
    const reports = [report({ caller: 'late', spentMs: 9 * MINUTE_MS })];
    await syncCallerRates(slow, { server: SECOND, changedFrom: '0', reports });
    const before = await sync(FIRST, [report({ caller: 'early', spentMs: 9 * MINUTE_MS })], changedFrom);
    expect(before.debts).toEqual({ early: 9 });
    await slow.commit().execute();
    expect((await sync(FIRST, [], before.changedFrom)).debts).toMatchObject({ late: 9 });
  });

  it('keeps the whole debt when a server that allowed some of it has stopped', async () => {
    for (const server of [FIRST, SECOND])
      await sync(server, [report({ spentMs: WINDOW_MS, debtMs: WINDOW_MS })]);
    await unregisterServer(database.db, FIRST);
    expect((await sync(SECOND)).debts).toEqual({ ana: 120 });
    expect((await sync(SECOND, [report({ spentMs: MINUTE_MS })])).debts).toEqual({ ana: 121 });
  });

  it('counts no larger debt than before when the clock of the database was set back', async () => {
    const { db } = database;
    await sync(FIRST, [report({ spentMs: 20 * MINUTE_MS })]);
    await sql`alter table caller_rate disable trigger caller_rate_changed`.execute(db);
    await sql`
      update caller_rate
      set spent_until = spent_until + interval '9 hours', changed_at = changed_at + interval '9 hours'`.execute(
      db,
    );
    await sql`alter table caller_rate enable trigger caller_rate_changed`.execute(db);
    expect((await sync(SECOND)).debts).toEqual({ ana: 20 });
    expect((await sync(SECOND, [report({ spentMs: 2 * MINUTE_MS })])).debts).toEqual({ ana: 22 });
  });

  it('counts every report of many concurrent servers', async () => {
    const callers = ['ana', 'rui', 'eva', 'Ana', 'ção'];
    const reports = (round: number) =>
      callers.map((_, index) =>
        report({ caller: callers[(index + round) % callers.length] as string, spentMs: MINUTE_MS }),
      );
    await Promise.all(
      Array.from({ length: 20 }, (_, round) => sync(round % 2 ? FIRST : SECOND, reports(round))).concat(
        Array.from({ length: 5 }, () => deleteExpiredRates(database.db).then(() => sync(FIRST))),
      ),
    );
    const { debts } = await sync(FIRST);
    expect(Object.keys(debts).toSorted()).toEqual(callers.toSorted());
    for (const debt of Object.values(debts)) {
      expect(debt).toBeGreaterThan(10);
      expect(debt).toBeLessThanOrEqual(20);
    }
  });
});

describe('a server of the previous release', () => {
  /** What it says when it lets requests of a caller through and tells the others; `exchange_rates` of `0009-rates`. */
  async function exchange({ isEntering, spent }: { isEntering: boolean; spent: number }) {
    const { rows } = await sql<{
      answer: { others: number; isAlone: boolean; isJoinable: boolean; grants: { aheadMs: number }[] };
    }>`
      select exchange_rates(${SECOND}::uuid, ${isEntering}, true, interval '1 second',
        array['ana'], array[0::float8], array[${spent}::float8], array[0::float8], ${MINUTE_MS}::float8, ${WINDOW_MS}::float8) as answer`.execute(
      database.db,
    );
    return rows[0]?.answer;
  }

  it('shares the counts of callers with a server of this release, both ways', async () => {
    const { changedFrom } = await sync(FIRST, [report({ spentMs: 20 * MINUTE_MS })]);
    const answer = await exchange({ isEntering: true, spent: 5 });
    expect(answer).toMatchObject({ others: 1, isAlone: false, isJoinable: true });
    expect(minutes(answer?.grants[0]?.aheadMs ?? 0)).toBe(25);
    expect((await sync(FIRST, [], changedFrom)).debts).toEqual({ ana: 25 });
  });
});

it('callers with a full quota and servers that have ended are deleted', async () => {
  const { db } = database;
  await sql`
    insert into caller_rate values ('whole', now() - interval '2 minutes'), ('spent', now() + interval '1 second')`.execute(
    db,
  );
  await sql`
    insert into server values (${FIRST}, now() - interval '2 minutes', false), (${SECOND}, now(), false)`.execute(
    db,
  );
  await Promise.all([deleteExpiredRates(db), deleteExpiredRates(db)]);
  expect(await db.selectFrom('caller_rate').select('caller').execute()).toEqual([{ caller: 'spent' }]);
  expect(await db.selectFrom('server').select('id').execute()).toEqual([{ id: SECOND }]);
});
