import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { compileOnce } from './compiled-query.ts';
import { connected, createTestDatabase, type TestDatabase } from './testing/driver-helpers.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await sql`create table item (id int primary key, name text, tags text[], made timestamptz, doc jsonb)`.execute(
    database.db,
  );
});
afterAll(() => database[Symbol.asyncDispose]());

const both = compileOnce<{ a: number; b: string }, { a: number; b: string; again: number }>(
  (param) => sql`select ${param('a')}::int as a, ${param('b')}::text as b, ${param('a')}::int as again`,
  { isReadOnly: true },
);

describe('a statement that is compiled once', () => {
  it('runs with other values each time, and uses one value in several places', async () => {
    await using db = connected(database);
    const asked = [1, 2, 3].map((a) => both.execute(db, { a, b: `b${a}` }));
    expect(await Promise.all(asked)).toEqual([1, 2, 3].map((a) => [{ a, b: `b${a}`, again: a }]));
  });

  it('requires every value, with its type', () => {
    expectTypeOf(both.execute).parameter(1).toEqualTypeOf<{ a: number; b: string }>();
    expectTypeOf(both.execute).returns.resolves.items.toEqualTypeOf<{
      a: number;
      b: string;
      again: number;
    }>();
  });

  it('is compiled at its first use, once for all connections', async () => {
    let built = 0;
    const counted = compileOnce<{ n: number }, { n: number }>((param) => {
      built += 1;
      return sql`select ${param('n')}::int as n`;
    });
    expect(built).toBe(0);
    await using other = connected(database);
    for (const db of [database.db, other]) expect(await counted.execute(db, { n: built })).toHaveLength(1);
    expect(built).toBe(1);
  });

  it('returns every column as the text that PostgreSQL sends, if it asks for that', async () => {
    const texts = compileOnce<{ name: string }, Record<string, string | null>>(
      (param) => sql`
        select json_build_object('name', ${param('name')}::text) as json, 1 as number, true as flag, null::text as nothing`,
      { isReadOnly: true, isText: true },
    );
    const name = 'Łódź 😀 \\ "x"';
    const expected = { json: `{"name" : ${JSON.stringify(name)}}`, number: '1', flag: 't', nothing: null };
    expect(await texts.execute(database.db, { name })).toEqual([expected]);
    const inTransaction = database.db.transaction().execute((trx) => texts.execute(trx, { name }));
    expect(await inTransaction).toEqual([expected]);
  });

  it('may be built with the query builder', async () => {
    const named = compileOnce<{ name: string }, { id: number }, { item: { id: number; name: string } }>(
      (param, db) => db.selectFrom('item').select('id').where('name', '=', param('name')).limit(1),
    );
    expect(await named.execute(database.db, { name: 'nowhere' })).toEqual([]);
  });

  it('takes part in the transaction it runs in', async () => {
    const add = compileOnce<{ id: number }, object>(
      (param) => sql`insert into item (id) values (${param('id')})`,
    );
    const count = compileOnce<{ id: number }, { n: number }>(
      (param) => sql`select count(*)::int as n from item where id = ${param('id')}`,
      { isReadOnly: true },
    );
    const undone = database.db.transaction().execute(async (trx) => {
      await add.execute(trx, { id: 7 });
      expect(await count.execute(trx, { id: 7 })).toEqual([{ n: 1 }]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await count.execute(database.db, { id: 7 })).toEqual([{ n: 0 }]);
  });

  it('accepts and returns values of every type', async () => {
    interface Item {
      id: number;
      name: string | null;
      tags: string[];
      made: Date;
      doc: { deep: number[] };
    }
    const add = compileOnce<Item, Item>(
      (param) => sql`insert into item (id, name, tags, made, doc)
        values (${param('id')}, ${param('name')}, ${param('tags')}, ${param('made')}, ${param('doc')}) returning *`,
    );
    const made = new Date('2026-01-31T08:00:00.123Z');
    const item = { id: 1, name: null, tags: ['a "b"', 'c,d', '\\'], made, doc: { deep: [1, 2] } };
    expect(await add.execute(database.db, item)).toEqual([item]);
  });

  it('fails alone and before it is sent if a value cannot be encoded', async () => {
    await using db = connected(database, { pipeline: { connections: 1 } });
    const show = compileOnce<{ doc: object }, { doc: object }>(
      (param) => sql`select ${param('doc')}::jsonb as doc`,
      {
        isReadOnly: true,
      },
    );
    const circular: { self?: object } = {};
    circular.self = circular;
    const [bad, good] = await Promise.allSettled([
      show.execute(db, { doc: circular }),
      show.execute(db, { doc: { fine: true } }),
    ]);
    expect(bad?.status).toBe('rejected');
    expect(good).toEqual({ status: 'fulfilled', value: [{ doc: { fine: true } }] });
    expect(await show.execute(db, { doc: {} })).toEqual([{ doc: {} }]);
  });

  it('rejects with the reason when it is aborted', async () => {
    const leaving = new AbortController();
    const waiting = both.execute(database.db, { a: 1, b: '' }, { signal: leaving.signal });
    leaving.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
  });
});
