import { compareAll } from '@roster/server/testing/comparison';
import { expect, it } from 'vitest';
import { useTestService } from '../support/test-service.ts';

const alike = { mlsId: 'LX77', phone: '+351210000042', address: { city: 'Porto' } };
const { at, client } = useTestService(async ({ client, database, name }) => {
  const { agents } = client();
  const first = await agents.create.mutate({ firstName: 'Inês', lastName: 'Figueiredo', ...alike });
  const second = await agents.create.mutate({ firstName: 'Inês', lastName: 'Figueredo', ...alike });
  await compareAll(database().db);
  const [pair] = (await agents.duplicates.query({})).items;
  for (const [called, record] of Object.entries({ first, second, pair: { id: pair?.id ?? '' } }))
    name(called, record);
});

const id = (name: string) => `<${name}>`.padEnd(36, '-');

it('duplicates shows, at 80 cells, the ids that merge and dismiss-duplicate take, and how', async () => {
  const { exit, stdout, stderr } = await at('terminal', ['agents', 'duplicates'], { columns: 80 });
  expect(exit).toBe(0);
  const lines = stdout.split('\n').map((line) => line.split(/ {2,}/));
  expect(lines[0]?.slice(0, 4)).toEqual(['SCORE', 'RECORD', 'ID', 'WHY']);
  expect(lines.slice(1, 4).map((line) => line.slice(1, 3))).toEqual([
    ['Inês Figueiredo', id('first')],
    ['Inês Figueredo', id('second')],
    ['(this pair)', id('pair')],
  ]);
  expect(stderr).toBe(
    'Showing 1 of 1 pair of agents.\nMerge two records with: roster agents merge <id> --duplicate-id <id>; ' +
      'keep both with: roster agents dismiss-duplicate <ID of the pair>\n',
  );
});

it('has a line for each pair in a pipe, with both ids, and the fields in --columns', async () => {
  const piped = await at('pipe', ['agents', 'duplicates']);
  const [header, line] = piped.stdout.split('\n').map((text) => text.split('\t'));
  expect(header).toEqual(['score', 'first', 'firstId', 'second', 'secondId', 'why', 'id']);
  expect([line?.[2], line?.[4], line?.[6]]).toEqual([id('first'), id('second'), id('pair')]);
  expect(piped.stderr).toBe('');
  const columns = await at('terminal', ['agents', 'duplicates', '--columns', 'id,records.displayName']);
  expect(columns.stdout.split('\n')[1]).toBe(`${id('pair')}  Inês Figueiredo, Inês Figueredo`);
});

it('its ids are those that merge takes', async () => {
  const { stdout } = await at('pipe', ['agents', 'duplicates', '--jsonl', 'records.id']);
  const { records } = JSON.parse(stdout.trim());
  expect(records.map((record: { id: string }) => record.id).toSorted()).toEqual(
    [id('first'), id('second')].toSorted(),
  );
  const merged = await at('terminal', ['agents', 'merge', '<first>', '--duplicate-id', '<second>', '--yes']);
  expect(merged).toMatchObject({ exit: 0, stderr: expect.stringContaining('unmerge') });
  expect((await client().agents.list.query({})).items).toHaveLength(1);
});
