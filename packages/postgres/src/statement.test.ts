import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { constant, fragment, statement } from './statement.ts';
import { createTestDatabase, type TestDatabase } from './testing/driver-helpers.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await sql`create table book (title text, author text)`.execute(database.db);
  await sql`insert into book values ('Emma', 'Austen'), ('Persuasion', 'Austen'), ('Utopia', 'More')`.execute(
    database.db,
  );
});
afterAll(() => database[Symbol.asyncDispose]());

/** A statement that says how often it was compiled, and returns the shape that it was compiled for. */
function counted() {
  const compiled: object[] = [];
  const select = statement<{ value: object }, { place: number }>(({ value }) => {
    compiled.push(value);
    return sql`select ${sql.lit(compiled.length)}::int as place`;
  });
  const placeOf = async (value: object) => (await select({ value }).execute(database.db, {}))[0]?.place;
  return { compiled, placeOf };
}

describe('a statement with a shape', () => {
  const findBooks = statement<{ columns: ('title' | 'author')[]; ofAuthor: boolean }, object>(
    ({ columns, ofAuthor }, param) => {
      const where = ofAuthor ? sql`where author = ${param('author')}` : sql``;
      return sql`select ${sql.join(columns.map((name) => sql.ref(name)))} from book ${where} order by title`;
    },
    { isReadOnly: true },
  );

  it('has the text of each shape', async () => {
    const ofAuthor = findBooks({ columns: ['title'], ofAuthor: true });
    expect(await ofAuthor.execute(database.db, { author: 'More' })).toEqual([{ title: 'Utopia' }]);
    const all = findBooks({ columns: ['author', 'title'], ofAuthor: false });
    expect(await all.execute(database.db, {})).toHaveLength(3);
    expect(await ofAuthor.execute(database.db, { author: 'Austen' })).toHaveLength(2);
  });

  it('is compiled once for a shape', () => {
    const one = findBooks({ columns: ['title'], ofAuthor: true });
    expect(findBooks({ columns: ['title'], ofAuthor: true })).toBe(one);
    expect(findBooks({ columns: ['title'], ofAuthor: false })).not.toBe(one);
  });

  it('takes its hints from the shape', async () => {
    const prepared = statement<{ isPlanned: boolean }, { count: number }>(
      ({ isPlanned }) => sql`
        select count(*)::int as count from pg_prepared_statements
        where statement like ${sql.lit(`%${isPlanned ? 'planned' : 'named'} itself%`)}`,
      ({ isPlanned }) => ({ isReadOnly: true, isPlannedForValues: isPlanned }),
    );
    await database.db.connection().execute(async (one) => {
      expect(await prepared({ isPlanned: false }).execute(one, {})).toEqual([{ count: 1 }]);
      expect(await prepared({ isPlanned: true }).execute(one, {})).toEqual([{ count: 0 }]);
    });
  });
});

describe('the key of a shape', () => {
  it('differs for values that look the same', async () => {
    const { compiled, placeOf } = counted();
    const values = [
      ...['', '1', 1, true, 'true', 't', null, 'n', -1, '1;', 0.5, ['1'], ['1', ''], ['', '1'], [['1']]],
      ...[{}, { 1: '1' }, { a: '1' }, { a: '1', b: '' }, { a: { b: '1' } }, { 'a1:b': '1' }, []],
      ...[['a', 'b'], ['ab'], ['a,b'], ['a1:b'], 'a1:b', [null], [undefined], ['[]'], ['1:1']],
    ];
    const alike = values.map((value) => [value]);
    for (const [index, value] of alike.entries()) expect(await placeOf(value)).toBe(index + 1);
    for (const [index, value] of alike.entries()) expect(await placeOf(value)).toBe(index + 1);
    expect(compiled).toEqual(alike);
  });

  it('is the same for a member that is undefined and for none', async () => {
    const { placeOf } = counted();
    expect(await placeOf({ a: 1 })).toBe(1);
    expect(await placeOf({ a: 1, b: undefined })).toBe(1);
  });

  it('has constants by their identity', async () => {
    const { placeOf } = counted();
    const [one, other] = [constant({ sql: sql`a` }), constant({ sql: sql`a` })];
    expect(await placeOf(one)).toBe(1);
    expect(await placeOf(other)).toBe(2);
    expect(await placeOf(one)).toBe(1);
    await expect(placeOf({ ...one })).rejects.toThrow(TypeError);
  });

  it('has fragments by their function and their shape', async () => {
    const { placeOf } = counted();
    const equals = fragment<{ column: string }>(({ column }) => sql.ref(column));
    const differs = fragment<{ column: string }>(({ column }) => sql.ref(column));
    expect(await placeOf(equals({ column: 'a' }))).toBe(1);
    expect(await placeOf(equals({ column: 'b' }))).toBe(2);
    expect(await placeOf(differs({ column: 'a' }))).toBe(3);
    expect(await placeOf(equals({ column: 'a' }))).toBe(1);
  });

  it.each([
    ['a function', () => 1],
    ['an expression', sql`a`],
    ['a date', new Date()],
    ['a set', new Set(['a'])],
    ['a buffer', Buffer.from('a')],
    ['a symbol', Symbol('a')],
  ])('cannot be made of %s, which is rejected at once', async (_, value) => {
    const { compiled, placeOf } = counted();
    await expect(placeOf([{ deep: value }])).rejects.toThrow(TypeError);
    expect(compiled).toEqual([]);
  });
});

/** What the compiler rejects. */
export const rejected = {
  // @ts-expect-error a function may see anything
  function: () => statement<{ where: () => string }, object>(() => sql`select`),
  // @ts-expect-error an expression is not data
  expression: () => fragment<{ where: ReturnType<typeof sql.ref> }>(() => sql`select`),
  // @ts-expect-error a date is a value
  date: () => statement<{ at: { since: Date } }, object>(() => sql`select`),
};
