import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isReadOnly } from './compiled-query.ts';
import { createTestDatabase, type TestDatabase } from './testing/driver-helpers.ts';

type Tables = { item: { id: string } };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await sql`create table item (id text)`.execute(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

it('counts as read-only only what certainly is', () => {
  const db = database.db.withTables<Tables>();
  const select = db.selectFrom('item').select('id');
  const remove = db.deleteFrom('item').returning('id');
  const raw = sql`select 1`.compile(db);
  const queries = {
    select: select.compile(),
    'select with a select': db
      .with('some', () => select)
      .selectFrom('some')
      .selectAll()
      .compile(),
    'select with a delete': db
      .with('gone', () => remove)
      .selectFrom('gone')
      .selectAll()
      .compile(),
    'select with raw SQL': db
      .with('what', () => sql<{ id: string }>`delete from item`)
      .selectFrom('what')
      .selectAll()
      .compile(),
    'select for update': select.forUpdate().compile(),
    delete: remove.compile(),
    'raw select': raw,
  };
  const reads = Object.entries(queries).filter(([, query]) => isReadOnly(query));
  expect(reads.map(([name]) => name)).toEqual(['select', 'select with a select']);
});
