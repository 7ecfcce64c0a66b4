import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from './testing/index.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

/** What triggers write, whatever a statement does. The types say what they write; the columns allow null. */
const computed = ['search_text', 'record', 'record_shape'] as const;

/** Generated columns, which a constraint keeps from being null. */
const generated = ['sorted_first_name', 'sorted_last_name'];

/** Whether null is a value of each column, as `YES` or `NO`; null if the type is `unknown`. */
type Columns = Record<string, 'YES' | 'NO' | null>;

/** The type of what is read from a column, by its text. */
function nullability(type: string): 'YES' | 'NO' | null {
  const read = /^ColumnType<([^,]*),/.exec(type)?.[1] ?? type;
  if (/\bunknown\b/.test(read)) return null;
  return /\| null\b/.test(read) ? 'YES' : 'NO';
}

/** The columns in the text of a type, whose lines are indented by so many spaces. */
function columnsIn(body: string, indent: number): Columns {
  const columns = body.matchAll(new RegExp(`^ {${indent}}(\\w+): ([\\s\\S]*?);$`, 'gm'));
  return Object.fromEntries([...columns].map(([, column = '', type = '']) => [column, nullability(type)]));
}

/** The columns of each table by the text of `tables.ts`, so that a new column needs no line here. */
function typedTables(source: string): Record<string, Columns> {
  const text = source.replaceAll(/\/\*[\s\S]*?\*\//g, '');
  const types = new Map<string, Columns>();
  for (const [, name = '', parents = '', body = ''] of text.matchAll(
    /interface (\w+)(?: extends ([\w, ]+))? \{([\s\S]*?)\n\}/g,
  )) {
    const inherited = parents.split(', ').map((parent) => types.get(parent) ?? {});
    types.set(name, Object.assign({}, ...inherited, columnsIn(body, 2)));
    // The one type that is made from another.
    const prefixed = Object.entries(types.get('AddressColumns') ?? {});
    types.set(
      'MailingAddressColumns',
      Object.fromEntries(prefixed.map(([column, isNullable]) => [`mailing_${column}`, isNullable])),
    );
  }
  const named = [...text.matchAll(/^ {2}(\w+): (\w+Table);$/gm)].map(([, table = '', type = '']) => [
    table,
    types.get(type) ?? {},
  ]);
  const inPlace = [...text.matchAll(/^ {2}(\w+): \{\n([\s\S]*?)^ {2}\};$/gm)].map(
    ([, table = '', body = '']) => [table, columnsIn(body, 4)],
  );
  return Object.fromEntries([...named, ...inPlace]);
}

const folder = new URL('tables/', import.meta.url);
const sources = [
  new URL('tables.ts', import.meta.url),
  ...readdirSync(folder).map((name) => new URL(name, folder)),
];
const tables = typedTables(sources.map((file) => readFileSync(file, 'utf8')).join('\n'));

async function columnsOf(table: string): Promise<Record<string, string>> {
  const { rows } = await sql<{ column_name: string; is_nullable: string }>`
    select column_name, is_nullable from information_schema.columns
    where table_schema = 'public' and table_name = ${table}`.execute(database.db);
  return Object.fromEntries(rows.map(({ column_name, is_nullable }) => [column_name, is_nullable]));
}

describe('the table types', () => {
  it.each(Object.entries(tables))(
    'have the columns of %s that the migrations create, with the same nullability',
    async (table, typed) => {
      const columns = await columnsOf(table);
      expect(Object.keys(typed).sort()).toEqual(Object.keys(columns).sort());
      const isComputed = (name: string) =>
        [...computed, ...generated].includes(name) && 'record_shape' in typed;
      for (const [name, isNullable] of Object.entries(typed)) {
        if (isNullable !== null && !isComputed(name)) expect(isNullable, name).toBe(columns[name]);
      }
    },
  );

  it('include every table', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables
      where table_schema = 'public' and table_name not like 'kysely_%'`.execute(database.db);
    expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(tables).sort());
  });

  it('have computed columns that cannot be overwritten', async () => {
    const { rows } = await sql<Record<(typeof computed)[number], unknown>>`
      insert into office (id, name, created_at, updated_at, status_changed_at, search_text, record, record_shape)
      values (gen_random_uuid(), 'Casa', now(), now(), now(), 'X', '{}', 999) returning *`.execute(
      database.db,
    );
    const { rows: changed } = await sql<Record<(typeof computed)[number], unknown>>`
      update office set search_text = 'X', record = '{}', record_shape = 999 where name = 'Casa' returning *`.execute(
      database.db,
    );
    for (const row of [...rows, ...changed]) {
      expect(row).toMatchObject({ record: { name: 'Casa' }, record_shape: expect.any(Number) });
      expect(row.record_shape).not.toBe(999);
      expect(row.search_text).toMatch(/^ \| CASA \| /);
    }
  });

  it('have timestamps in milliseconds, like dates in JavaScript', async () => {
    const { rows } = await sql<{ precision: number }>`
      select distinct datetime_precision as precision from information_schema.columns
      where table_schema = 'public' and table_name not like 'kysely_%' and data_type like 'timestamp%'`.execute(
      database.db,
    );
    expect(rows).toEqual([{ precision: 3 }]);
  });
});
