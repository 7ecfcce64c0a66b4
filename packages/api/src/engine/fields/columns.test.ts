import type { RecordTable } from '@roster/db';
import { createTestDatabase, requiredColumns, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { definitions } from '../../directory/registry.ts';
import { columnOf, columnsOf, hasParts, partColumn } from './columns.ts';
import { writtenFields } from './shapes.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

/** Writes a row by hand, around everything that the API would check. */
async function insert(table: RecordTable, column: string, value: unknown): Promise<void> {
  const now = new Date();
  const times = { created_at: now, updated_at: now, status_changed_at: now };
  // One half of a source is rejected for the other.
  const source = { source_name: 'x', source_key: crypto.randomUUID() };
  const row = { id: crypto.randomUUID(), ...times, ...requiredColumns[table], ...source, [column]: value };
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

/** The schemas of the parts of an object, which may be absent or null. */
function partsOf(input: z.ZodType): Record<string, z.ZodType> {
  const { shape } = (input as z.ZodNullable<z.ZodObject>).unwrap();
  const parts = Object.entries(shape).map(([part, schema]) => [
    part,
    schema instanceof z.ZodOptional ? schema.unwrap() : schema,
  ]);
  return Object.fromEntries(parts);
}

/** The text columns with their schemas. That of a country holds more than a length: the constraints of the database have a case. */
const texts = definitions.flatMap(({ table, fields }) =>
  writtenFields(fields).flatMap(([name, { storage, input, output }]) => {
    const schemas: [string, z.ZodType][] = storage === 'text' ? [[columnOf(name), input]] : [];
    if (hasParts(storage)) {
      const parts = Object.entries(partsOf(input)).filter(([part]) => part !== 'country');
      schemas.push(...parts.map(([part, schema]): [string, z.ZodType] => [partColumn(name, part), schema]));
    }
    const words = storage === 'text' ? wordsOf(output) : [];
    return schemas.map(
      ([column, schema]) => [table, column, Number(schema.meta()?.maxLength ?? 0), words] as const,
    );
  }),
);
const withLength = texts.filter(([, , maxLength]) => maxLength > 0);
const withWords = texts.filter(([, , , words]) => words.length > 0);

describe('the column of a text', () => {
  it.each(withLength)(
    '%s.%s takes what the schema takes: from one to %i characters',
    async (table, column, length) => {
      const constraint = `${table}_${column}_check`;
      await insert(table, column, '🏠'.repeat(length));
      for (const text of ['', '🏠'.repeat(length + 1)]) {
        await expect(insert(table, column, text)).rejects.toMatchObject({ constraint });
      }
    },
  );

  it.each(withWords)('%s.%s takes the words of the schema and no others', async (table, column, _, words) => {
    const constraint = `${table}_${column}_check`;
    for (const word of words) await insert(table, column, word);
    for (const text of ['', 'unknown']) {
      await expect(insert(table, column, text)).rejects.toMatchObject({ constraint });
    }
  });

  it('has a length or words, whatever the field', () => {
    expect(texts.length).toBeGreaterThan(60);
    expect([...withLength, ...withWords].map(([table, column]) => `${table}.${column}`).sort()).toEqual(
      texts.map(([table, column]) => `${table}.${column}`).sort(),
    );
  });
});

it.each(definitions)(
  'every field of $table has its columns, and no column is left over',
  async ({ table, fields }) => {
    const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER'`.execute(database.db);
    const internal = ['search_text', 'record', 'record_shape'];
    if (table === 'agent') internal.push('is_email_moving', 'office_name');
    const isKept = (name: string) => internal.includes(name) || name.startsWith('place_');
    const columns = Object.entries(fields).flatMap(([name, field]) => columnsOf(name, field));
    const others = rows.map(({ name }) => name).filter((name) => !isKept(name));
    expect([...columns].sort()).toEqual(others.sort());
  },
);
