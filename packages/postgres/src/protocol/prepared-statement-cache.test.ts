import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileOnce } from '../kysely/compiled-query.ts';
import { connected, createTestDatabase, read, type TestDatabase } from '../testing/driver-helpers.ts';
import { PreparedStatementCache } from './prepared-statement-cache.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

/** Ten statements; each returns its own number and its value, and fails if the value is 0. */
const statements = Array.from({ length: 10 }, (_, n) =>
  compileOnce<{ value: number }, { n: number; value: number }>(
    (param) =>
      sql`select ${sql.raw(String(n))} as n, ${param('value')}::int as value, 1 / ${param('value')}::int`,
    { isReadOnly: true },
  ),
);

const COUNT = 'select count(*)::int as n from pg_prepared_statements';

describe('prepared statements', () => {
  it('return the right result however often they are evicted, and never exceed their maximum', async () => {
    await using db = connected(database, { pipeline: { connections: 1 }, preparedStatementsMax: 3 });
    const call = fc.record({ n: fc.nat(9), value: fc.integer({ min: 0, max: 3 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 40 }), async (calls) => {
        const running = calls.map(({ n, value }) => statements[n]?.execute(db, { value }));
        const answers = await Promise.allSettled(running);
        answers.forEach((answer, index) => {
          const { n, value } = calls[index] ?? { n: -1, value: -1 };
          if (value === 0) expect(answer).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
          else expect(answer).toMatchObject({ status: 'fulfilled', value: [{ n, value }] });
        });
        expect((await read<{ n: number }>(db, COUNT))?.n).toBeLessThanOrEqual(3);
      }),
      { numRuns: 60 },
    );
  });

  it('are reused for the same text, and closed once when they are evicted', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9)), fc.integer({ min: 1, max: 5 }), (uses, max) => {
        const cache = new PreparedStatementCache(max);
        const open = new Map<string, string>();
        for (const use of uses) {
          const { prepared, isNew } = cache.use(`select ${use}`);
          for (const closed of cache.takeEvicted()) expect(open.delete(closed)).toBe(true);
          expect(isNew).toBe(!open.has(prepared.name));
          open.set(prepared.name, `select ${use}`);
          expect(open.get(prepared.name)).toBe(`select ${use}`);
          expect(open.size).toBe(cache.size);
          expect(cache.size).toBeLessThanOrEqual(max);
        }
      }),
    );
  });

  it('are not used if they are turned off', async () => {
    await using db = connected(database, { pipeline: { connections: 1 }, preparedStatementsMax: 0 });
    const answers = await Promise.all(statements.map((statement) => statement.execute(db, { value: 2 })));
    expect(answers.map(([row]) => row?.n)).toEqual(statements.map((_, n) => n));
    expect(await read(db, COUNT)).toEqual({ n: 0 });
    await db.transaction().execute(async (trx) => {
      await statements[0]?.execute(trx, { value: 1 });
      expect((await sql.raw(COUNT).execute(trx)).rows).toEqual([{ n: 0 }]);
    });
  });

  it('are not made of what PostgreSQL plans for its values each time', async () => {
    await using db = connected(database, { pipeline: { connections: 1 }, pool: { max: 1 } });
    const planned = compileOnce<{ value: number }, { value: number }>(
      (param) => sql`select ${param('value')}::int as value`,
      { isReadOnly: true, isPlannedForValues: true },
    );
    for (const value of [1, 2]) expect(await planned.execute(db, { value })).toEqual([{ value }]);
    const ofIt = `${COUNT} where statement like '%::int as value'`;
    expect(await read(db, ofIt)).toEqual({ n: 0 });
    await db.transaction().execute(async (trx) => {
      expect(await planned.execute(trx, { value: 3 })).toEqual([{ value: 3 }]);
      expect((await sql.raw(ofIt).execute(trx)).rows).toEqual([{ n: 0 }]);
    });
  });

  it('are reused in the next transaction of a connection', async () => {
    await using db = connected(database, { pool: { max: 1 } });
    await db.transaction().execute(async (trx) => {
      await statements[0]?.execute(trx, { value: 1 });
    });
    await db.transaction().execute(async (trx) => {
      await statements[0]?.execute(trx, { value: 2 });
      expect((await sql.raw(COUNT).execute(trx)).rows).toEqual([{ n: 1 }]);
    });
  });

  it('survive a change of the table: the next result has the new columns', async () => {
    await using db = connected(database, { pipeline: { connections: 1 }, pool: { max: 1 } });
    await sql`create table grows (a int)`.execute(db);
    const all = compileOnce<object, object>(() => sql`select * from grows`, { isReadOnly: true });
    const add = compileOnce<{ a: number }, object>(
      (param) => sql`insert into grows values (${param('a')}) returning *`,
    );
    expect(await add.execute(db, { a: 1 })).toEqual([{ a: 1 }]);
    expect(await all.execute(db, {})).toEqual([{ a: 1 }]);
    await sql`alter table grows add b int`.execute(db);
    expect(await Promise.all([all.execute(db, {}), all.execute(db, {})])).toEqual([
      [{ a: 1, b: null }],
      [{ a: 1, b: null }],
    ]);
    expect(await add.execute(db, { a: 2 })).toEqual([{ a: 2, b: null }]);
  });

  it('are parsed again if parsing has failed, in a transaction too', async () => {
    await using db = connected(database, { pool: { max: 1 } });
    const late = compileOnce<{ a: number }, { a: number }>(
      (param) => sql`select * from late where a = ${param('a')}`,
    );
    const ask = () => db.transaction().execute((trx) => late.execute(trx, { a: 1 }));
    await expect(ask()).rejects.toMatchObject({ code: '42P01' });
    await expect(ask()).rejects.toMatchObject({ code: '42P01' });
    await sql`create table late (a int)`.execute(db);
    expect(await ask()).toEqual([]);
  });

  it('are parsed again after PostgreSQL has deallocated them', async () => {
    await using db = connected(database, { pipeline: { connections: 1 } });
    expect(await read(db, 'select 1 as one')).toEqual({ one: 1 });
    await read(db, 'deallocate all');
    expect(await read(db, 'select 1 as one')).toEqual({ one: 1 });
  });
});
