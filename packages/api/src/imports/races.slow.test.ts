import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../test/support/caller.ts';
import { untilWaiting } from '../../test/support/lock-waits.ts';
import { errorCodeOf } from '../../test/support/rejected.ts';
import { newSystem } from '../../test/support/systems.ts';
import type { ImportResponse } from './schemas.ts';

let database: TestDatabase;
let caller: Caller;
beforeAll(async () => {
  database = await createTestDatabase({ requiresEvents: true });
  caller = callerIn(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

const ROUNDS = Array.from({ length: 6 }, (_, index) => index);
const ana = { firstName: 'Ana', lastName: 'Silva' };
const keys = Array.from({ length: 40 }, (_, index) => index);
const sum = (responses: Partial<ImportResponse>[], what: 'created' | 'updated' | 'unchanged' | 'errors') =>
  responses.reduce((total, response) => total + (response[what] ?? 0), 0);

async function race<Value>(...runners: Promise<Value>[]): Promise<{ won: Value[]; lost: string[] }> {
  const results = await Promise.allSettled(runners);
  return {
    won: results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
    lost: results.flatMap((result) => (result.status === 'rejected' ? [errorCodeOf(result.reason)] : [])),
  };
}

describe('imports of the same sources at once, in opposite orders', () => {
  it.each(ROUNDS)('upsert: each record is created once, and the others find it (%i)', async () => {
    const { of, name } = newSystem();
    const records = keys.map((key) => ({ ...ana, source: of(key) }));
    const upsert = (those: typeof records) => caller.imports.agents({ mode: 'upsert', records: those });
    const { won, lost } = await race(
      ...[records, records.toReversed(), records].map((those) => upsert(those)),
    );
    expect(lost).toEqual([]);
    expect([sum(won, 'created'), sum(won, 'unchanged')]).toEqual([40, 80]);
    const { total } = await caller.agents.list({ sourceName: name, includeTotal: true, limit: 1 });
    expect(total).toBe(40);
  });

  it.each(ROUNDS)('create: one has all of them, and the other none (%i)', async () => {
    const { of } = newSystem();
    const records = keys.map((key) => ({ name: 'Porto', source: of(key) }));
    const { won, lost } = await race(
      caller.imports.offices({ records }),
      caller.imports.offices({ records: records.toReversed() }),
    );
    expect(won).toMatchObject([{ created: 40 }]);
    expect(lost).toEqual(['source_taken']);
  });

  it.each(ROUNDS)('changes of the same offices, their main offices too, all land (%i)', async () => {
    const { of, name } = newSystem();
    const main = { name: 'Main', source: of('main') };
    const records = [main, ...keys.map((key) => ({ name: 'Branch', source: of(key) }))];
    await caller.imports.offices({ records });
    const branches = records.slice(1);
    const { lost } = await race(
      caller.imports.offices({
        mode: 'upsert',
        records: [...branches.map((office) => ({ ...office, mainOfficeSourceKey: 'main' })), main],
      }),
      caller.imports.offices({
        mode: 'upsert',
        records: [main, ...branches].toReversed().map((office) => ({ ...office, bio: 'x' })),
      }),
    );
    expect(lost).toEqual([]);
    const { items } = await caller.offices.list({ sourceName: name, limit: 200 });
    const isDone = ({ bio, mainOfficeId }: (typeof items)[number]) => bio === 'x' && mainOfficeId !== null;
    expect(items.filter(isDone).length).toBe(40);
  });
});

describe('an import and single changes at once', () => {
  it.each(ROUNDS)('of the same sources and addresses: each record is there once (%i)', async (round) => {
    const { of, name } = newSystem();
    const one = (key: number) => ({ ...ana, source: of(key), email: `${key}-${round}@race.example` });
    const [imported, ...singles] = await Promise.allSettled([
      caller.imports.agents({ records: keys.map(one), isAtomic: false }),
      ...[39, 20, 1].map((key) => caller.agents.create(one(key))),
    ]);
    if (imported.status === 'rejected') throw imported.reason;
    const created = singles.filter(({ status }) => status === 'fulfilled').length;
    expect(sum([imported.value], 'created') + created).toBe(40);
    const reasons = singles.flatMap((single) =>
      single.status === 'rejected' ? [errorCodeOf(single.reason)] : [],
    );
    expect(reasons.filter((reason) => reason !== 'source_taken')).toEqual([]);
    expect((await caller.agents.list({ sourceName: name, limit: 200 })).items.length).toBe(40);
  });

  it.each(ROUNDS)('of an office that closes with its agents: none stays active in it (%i)', async () => {
    const { of, name } = newSystem();
    const { results } = await caller.imports.offices({ records: [{ name, source: of('o') }] });
    const officeId = results[0]?.id ?? '';
    const there = keys.slice(0, 20).map((key) => ({ ...ana, source: of(key), officeSourceKey: 'o' }));
    await caller.imports.agents({ records: there });
    const records = keys.map((key) => ({ ...ana, source: of(key), officeSourceKey: 'o', bio: 'x' }));
    const { lost } = await race<unknown>(
      caller.imports.agents({ mode: 'upsert', records: records.toReversed() }),
      caller.offices.deactivate({ id: officeId, cascade: true }),
    );
    expect(lost.filter((reason) => reason !== 'office_inactive')).toEqual([]);
    const { items } = await caller.agents.list({ officeId, limit: 200 });
    expect(items.filter(({ status }) => status === 'active')).toEqual([]);
  });
});

/** Starts an import while another change is not committed; it must wait, and meet what that has done. */
async function afterWaiting<Value>(
  first: (uncommitted: Caller) => Promise<unknown>,
  second: () => Promise<Value>,
): Promise<Value> {
  let waiting: Promise<Value> | undefined;
  await database.db.transaction().execute(async (trx) => {
    await first(callerIn(trx));
    waiting = second();
    waiting.catch(() => undefined);
    await untilWaiting(database.db, 1, { timeout: 60_000 });
  });
  return waiting as Promise<Value>;
}

describe('an import that was overtaken after it had looked', () => {
  it.each(['alone', 'under an Idempotency-Key'])(
    'names what was taken, and writes the rest: %s',
    async (way) => {
      const { of, name } = newSystem();
      const email = `${name.replace(' ', '-')}@overtaken.example`;
      const { imports } = callerIn(
        database.db,
        way === 'alone' ? {} : { request: { idempotencyKey: () => way } },
      );
      const records = [1, 2, 3].map((key) => ({ ...ana, source: of(key) }));
      const { results } = await afterWaiting(
        ({ agents }) => agents.create({ ...ana, source: of(2), email }),
        () => imports.agents({ records: [...records, { ...ana, email }], isAtomic: false }),
      );
      expect(results.map(({ status, error }) => [status, error?.code])).toEqual([
        ['created', undefined],
        ['error', 'source_taken'],
        ['created', undefined],
        ['error', 'email_taken'],
      ]);
    },
  );

  it('upserts what has appeared', async () => {
    const { of } = newSystem();
    const response = await afterWaiting(
      ({ offices }) => offices.create({ name: 'Porto', source: of(1) }),
      () => caller.imports.offices({ mode: 'upsert', records: [{ name: 'Faro', source: of(1) }] }),
    );
    expect(response.results).toMatchObject([{ status: 'updated', version: 2 }]);
  });

  it('names the cycle that an uncommitted change would close', async () => {
    const { of } = newSystem();
    const records = ['a', 'b'].map((key) => ({ name: key, source: of(key) }));
    const { results } = await caller.imports.offices({ records });
    const [a = '', b = ''] = results.map(({ id }) => id ?? '');
    const importing = afterWaiting(
      ({ offices }) => offices.update({ id: a, mainOfficeId: b }),
      () =>
        caller.imports.offices({
          mode: 'upsert',
          records: [{ name: 'b', source: of('b'), mainOfficeSourceKey: 'a' }],
        }),
    );
    expect(await importing.then(() => 'served', errorCodeOf)).toBe('office_cycle');
  });
});
