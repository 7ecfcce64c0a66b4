import { connect } from '@roster/db';
import { createTestDatabase } from '@roster/db/testing';
import { expect, it } from 'vitest';
import { callerIn } from '../../test/support/caller.ts';

it('asks the database as much for one record as for five hundred: the same statements', async () => {
  await using database = await createTestDatabase({ requiresEvents: true });
  let said: string[] = [];
  const db = connect({ connection: database.connection, onStatement: ({ sql }) => said.push(sql) });
  const { imports } = callerIn(db);
  const name = 'MLS';
  const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);
  await imports.offices({ records: [{ name: 'Main', source: { name, key: 'main' } }] });
  const office = (key: number, bio: string) => ({
    name: `Office ${key}`,
    source: { name, key: `${key}` },
    bio,
    mainOfficeSourceKey: 'main',
  });
  const agent = (key: number, bio: string) => ({
    firstName: 'Ana',
    lastName: `Silva ${key}`,
    source: { name, key: `${key}` },
    bio,
    email: `${key}@roster.example`,
    officeSourceKey: 'main',
  });
  // Half of them there already, so that every call creates and changes.
  const asked = async (act: (keys: number[], bio: string) => Promise<unknown>, [from, count]: number[]) => {
    const keys = range(from ?? 0, count ?? 0);
    await act(keys.slice(0, (count ?? 0) / 2), 'x');
    said = [];
    await act(keys, 'y');
    return [...said];
  };
  const importOffices = (keys: number[], bio: string) =>
    imports.offices({ mode: 'upsert', records: keys.map((key) => office(key, bio)) });
  const importAgents = (keys: number[], bio: string) =>
    imports.agents({ mode: 'upsert', records: keys.map((key) => agent(key, bio)) });
  for (const act of [importOffices, importAgents]) {
    const few = await asked(act, [0, 2]);
    const many = await asked(act, [1_000, 500]);
    expect(many).toEqual(few);
    expect(few.length).toBe(act === importOffices ? 9 : 8);
  }
  await db.destroy();
});
