import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../test/support/caller.ts';
import { rejected } from '../../test/support/rejected.ts';
import { definitions, type ResourceName } from '../directory/registry.ts';
import type { Reference } from '../engine/definition.ts';

let database: TestDatabase;
let caller: Caller;
beforeAll(async () => {
  database = await createTestDatabase({ requiresEvents: true });
  caller = callerIn(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

/** The smallest record of each resource, which refers to an office if it must. */
const smallest: Record<ResourceName, (officeId: string) => object> = {
  offices: () => ({ name: 'Casa' }),
  agents: () => ({ firstName: 'Ana', lastName: 'Reis' }),
  teams: (officeId) => ({ name: 'Reis', officeId }),
};
/** The parts that an item of a list must have beside the id. */
const besideId: Record<string, object> = { members: { role: 'lead' } };

type Records = Record<'create' | 'get' | 'delete', (input: object) => Promise<Record<string, unknown>>>;
const callsOf = (name: ResourceName) => caller[name] as object as Records;

/** Every column of every resource that refers to records of one. */
const references = definitions.flatMap(({ name, references }) =>
  Object.entries<Reference>(references).flatMap(([column, reference]) => {
    const referred = definitions.find(({ table }) => table === reference.table);
    const field = column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    return referred ? [{ name, field, column, reference, referred }] : [];
  }),
);

describe.each(references)('a record that $name name as $field', ({ name, field, reference, referred }) => {
  const { items, countedAs = name } = reference;
  /** A record, and another one that refers to it by this field alone. */
  async function referringPair() {
    const { id: officeId } = await caller.offices.create({ name: 'Elsewhere' });
    const { id } = await callsOf(referred.name).create(smallest[referred.name](officeId));
    const value = items === undefined ? id : [{ [items.field]: id, ...besideId[field] }];
    const referring = await callsOf(name).create({ ...smallest[name](officeId), [field]: value });
    return { id, referring };
  }

  if (items?.leaveWithRecord) {
    it('is deleted, and leaves their lists', async () => {
      const { id, referring } = await referringPair();
      await callsOf(referred.name).delete({ id });
      expect(await callsOf(name).get({ id: referring.id })).toMatchObject({ [field]: [] });
    });
    return;
  }

  it(`cannot be deleted, and they are counted as ${countedAs}`, async () => {
    const { id, referring } = await referringPair();
    const error = await rejected(callsOf(referred.name).delete({ id }));
    expect([error.errorCode, error.dependents]).toEqual(['has_dependents', { [countedAs]: 1 }]);
    expect(error.message).toBe(`Other records refer to this ${referred.table} (${countedAs}: 1).`);
    await callsOf(name).delete({ id: referring.id });
    await callsOf(referred.name).delete({ id });
  });
});

it('counts no two columns under one name', () => {
  const kinds = references
    .filter(({ reference }) => !reference.items?.leaveWithRecord)
    .map(({ name, reference }) => `${reference.table} ${reference.countedAs ?? name}`);
  expect(kinds).toHaveLength(new Set(kinds).size);
});

it('counts what a foreign key keeps from being deleted, and nothing else', async () => {
  const { rows } = await sql<{ name: string; isKept: boolean }>`
    select conname as name, confdeltype = 'a' as "isKept" from pg_constraint where contype = 'f'`.execute(
    database.db,
  );
  const isKept = new Map(rows.map((row) => [row.name, row.isKept]));
  for (const { column, reference, name } of references) {
    const table = definitions.find((definition) => definition.name === name)?.table;
    const foreignKey = reference.items?.foreignKey ?? `${table}_${column}_fkey`;
    expect([foreignKey, isKept.get(foreignKey)]).toEqual([foreignKey, !reference.items?.leaveWithRecord]);
  }
});
