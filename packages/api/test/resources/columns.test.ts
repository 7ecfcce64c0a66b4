import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { agents } from '../../src/agents/definition.ts';
import { offices } from '../../src/offices/definition.ts';
import { columnOf, columnsOf } from '../../src/resources/fields/columns.ts';
import { writtenFields } from '../../src/resources/fields/shapes.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const required = { office: { name: 'Casa' }, agent: { first_name: 'Ana', last_name: 'Reis' } };

/** Writes a row by hand, around everything that the API would check. */
async function insert(table: 'office' | 'agent', column: string, value: unknown): Promise<void> {
  const now = new Date();
  const times = { created_at: now, updated_at: now, status_changed_at: now };
  const row = { id: crypto.randomUUID(), ...times, ...required[table], [column]: value };
  const names = Object.keys(row).map((name) => sql.ref(name));
  await sql`insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(Object.values(row))})`.execute(
    database.db,
  );
}

/** The words that a schema reads, if it is an enumeration or null. */
function wordsOf(schema: z.ZodType): string[] {
  const { anyOf = [] } = z.toJSONSchema(schema);
  return anyOf.flatMap((one) => (typeof one === 'object' ? (one.enum ?? []) : [])).map(String);
}

const texts = [offices, agents].flatMap(({ table, fields }) =>
  writtenFields(fields)
    .filter(([, { storage }]) => storage === 'text')
    .map(([name, { input, output }]) => {
      const { maxLength = 0 } = input.meta() ?? {};
      return [table, name, Number(maxLength), wordsOf(output)] as const;
    }),
);
const withLength = texts.filter(([, , maxLength]) => maxLength > 0);
const withWords = texts.filter(([, , , words]) => words.length > 0);

describe('the column of a text', () => {
  it.each(withLength)(
    '%s.%s takes what the schema takes: from one to %i characters',
    async (table, name, length) => {
      const column = columnOf(name);
      const constraint = `${table}_${column}_check`;
      await insert(table, column, '🏠'.repeat(length));
      for (const text of ['', '🏠'.repeat(length + 1)]) {
        await expect(insert(table, column, text)).rejects.toMatchObject({ constraint });
      }
    },
  );

  it.each(withWords)('%s.%s takes the words of the schema and no others', async (table, name, _, words) => {
    const column = columnOf(name);
    const constraint = `${table}_${column}_check`;
    for (const word of words) await insert(table, column, word);
    for (const text of ['', 'unknown']) {
      await expect(insert(table, column, text)).rejects.toMatchObject({ constraint });
    }
  });

  it('has a length or words, whatever the field', () => {
    expect(texts.length).toBeGreaterThan(25);
    expect([...withLength, ...withWords].map(([table, name]) => `${table}.${name}`).sort()).toEqual(
      texts.map(([table, name]) => `${table}.${name}`).sort(),
    );
  });
});

it.each([offices, agents])(
  'every field of $table has its columns, and no column is left over',
  async ({ table, fields }) => {
    const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table}`.execute(database.db);
    const internal = ['search_text', 'record', 'record_shape'];
    const columns = Object.entries(fields).flatMap(([name, field]) => columnsOf(name, field));
    expect([...columns, ...internal].sort()).toEqual(rows.map(({ name }) => name).sort());
  },
);
