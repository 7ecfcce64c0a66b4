import { connect } from '@roster/db';
import { createTestDatabase } from '@roster/db/testing';
import { expect, it } from 'vitest';
import { callerIn } from '../../test/support/caller.ts';

const patches: [what: string, patch: object, reads: number][] = [
  ['of fields alone', { title: 'Broker' }, 0],
  ['with a telephone that its country decides', { phone: '210 000 042' }, 1],
  ['with what was read', { title: 'Broker', status: 'active' }, 1],
  ['with both', { phone: '210 000 042', status: 'active' }, 1],
];

it.each(patches)('a patch %s reads its record at most once before it writes', async (_, patch, reads) => {
  await using database = await createTestDatabase();
  const said: string[] = [];
  await using db = connect({ connection: database.connection, onStatement: ({ sql }) => said.push(sql) });
  const { agents } = callerIn(db);
  const { id } = await agents.create({ lastName: 'Reis', address: { country: 'PT' } });
  said.length = 0;
  expect(await agents.update({ id, ...patch })).toMatchObject({ id, version: 2 });
  const verbs = said.map((sql) => sql.trim().split(' ', 1)[0]);
  expect(verbs).toEqual([...Array.from({ length: reads }, () => 'select'), 'with']);
});
