import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toRosterError } from '../errors/to-roster-error.ts';
import { definitions, resourceNames } from './registry.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

/** The values of a column that a check of its table rejects. */
async function rejectedBy(constraint: string, column: string, values: readonly string[]): Promise<string[]> {
  const found = await sql<{ rule: string }>`
    select pg_get_expr(conbin, conrelid) as rule from pg_constraint where conname = ${constraint}`.execute(
    database.db,
  );
  const rule = sql.raw(found.rows[0]?.rule ?? 'false');
  const { rows } = await sql<{ value: string }>`
    select ${sql.ref(column)} as value from unnest(${values}::text[]) as given (${sql.ref(column)})
    where (${rule}) is not true`.execute(database.db);
  return rows.map(({ value }) => value);
}

describe('the database', () => {
  it('takes every type of event that the resources have', async () => {
    const types = definitions.flatMap(({ table, eventVerbs }) =>
      eventVerbs.map((verb) => `${table}.${verb}`),
    );
    expect(await rejectedBy('event_type_check', 'type', types)).toEqual([]);
    expect(await rejectedBy('event_type_check', 'type', ['kiosk.created'])).toEqual(['kiosk.created']);
  });

  it.each([
    ['tombstone', 'collection'],
    ['scheduled_change', 'resource'],
    ['job', 'resource'],
    ['saved_view', 'resource'],
  ])('takes the name of every resource in %s.%s', async (table, column) => {
    const constraint = `${table}_${column}_check`;
    expect(await rejectedBy(constraint, column, resourceNames)).toEqual([]);
    expect(await rejectedBy(constraint, column, ['kiosks'])).toEqual(['kiosks']);
  });
});

it('a check of a column that no caller writes is an error of the service', () => {
  const codeOf = (constraint: string) =>
    toRosterError(Object.assign(new Error('violates'), { code: '23514', constraint })).errorCode;
  expect(codeOf('event_type_check')).toBe('internal');
  expect(codeOf('job_resource_check')).toBe('internal');
  expect(codeOf('office_name_check')).toBe('validation_failed');
});
