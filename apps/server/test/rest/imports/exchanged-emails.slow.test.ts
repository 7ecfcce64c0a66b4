import type { Agent, Import, Job } from '@roster/api';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { ended, errorsOf, imported, written } from '../../support/file-imports.ts';
import { directoryOf, newSource } from '../../support/fixtures.ts';
import { useServer } from '../../support/use-server.ts';

const server = useServer();

/** More than two batches. */
const COUNT = 1100;
const keys = Array.from({ length: COUNT }, (_, index) => String(index + 1));

/** Agents of a source, each with its key as the name of its address. */
async function agentsOf(count = COUNT) {
  const { name } = newSource();
  const domain = `${name.replace(' ', '-').toLowerCase()}.example`;
  const path = (mode: string) => ({
    path: `/imports/agents/file?sourceName=${name}&mode=${mode}&emptyCells=clear`,
  });
  /** A file with the addresses of these keys; an empty one clears the address. */
  const file = (rows: Iterable<readonly [key: string, email: string]>) =>
    [
      'source.key,firstName,lastName,email',
      ...[...rows].map(([key, email]) => `${key},Ana,Silva,${email && `${email}@${domain}`}`),
    ].join('\n');
  const some = keys.slice(0, count);
  await imported(server(), file(some.map((key) => [key, key])), path('write'));
  /** The address of each agent that is not its own key. */
  const moved = async () => {
    const { rows } = await sql<{ key: string; email: string | null }>`
      select source_key as key, split_part(email, '@', 1) as email from agent
      where source_name = ${name} and split_part(email, '@', 1) is distinct from source_key`.execute(
      server().database.db,
    );
    return Object.fromEntries(rows.map(({ key, email }) => [key, email]));
  };
  return { name, domain, path, file, moved, keys: some };
}

const rowOf = (key: string) => Number(key) + 1;

it('agents pass on their email addresses over any number of rows, and get them back by an undo', async () => {
  const { path, file, moved } = await agentsOf();
  const final = {
    3: '900',
    900: '3',
    10: '600',
    600: '1050',
    1050: 'new',
    700: '',
    701: '1100',
    1100: '701',
  };
  const rows = new Map([...keys.map((key) => [key, key] as const), ...Object.entries(final)]);
  const body = file([...rows, ['created', '700']]);
  const { id, ...checked } = await imported(server(), body, path('check'));
  expect(checked).toMatchObject({ created: 1, updated: 7, warnings: 1, unchanged: COUNT - 8, errors: 0 });
  expect(await moved()).toEqual({});
  const result = await written(server(), id, { acceptWarnings: ['clears'] });
  expect(result).toMatchObject({ status: 'completed', created: 1, updated: 8, errors: 0 });
  expect(await moved()).toEqual({ ...final, 700: null, created: '700' });

  const { rows: events } = await sql<{ type: string; version: number; from: string; to: string | null }>`
    select type, version, split_part(previous ->> 'email', '@', 1) as from, split_part(record ->> 'email', '@', 1) as to
    from event where details ->> 'bulkId' = ${id} and type = 'agent.updated' order by 3`.execute(
    server().database.db,
  );
  const expected = Object.entries(final).map(([from, to]) => [from, to || null, 2]);
  expect(events.map(({ from, to, version }) => [from, to, version])).toEqual(expected.sort());

  const undo = (await (await server().request('PUT', `/imports/${id}/undo`, {})).json()) as Job;
  const job = await ended<Job>(server(), `/jobs/${undo.id}`);
  expect(job).toMatchObject({ status: 'completed', changed: 9, rejected: 0 });
  expect(await moved()).toEqual({});
});

it('an address that another agent keeps rejects the row that wants it, and each that waits for that row', async () => {
  const { path, file, moved, domain } = await agentsOf();
  await directoryOf(server()).agent({ email: `outsider@${domain}` });
  const final = { 5: '900', 900: '40', 40: 'outsider', 41: '901', 901: '41' };
  const rows = new Map([...keys.map((key) => [key, key] as const), ...Object.entries(final)]);
  const { id, ...checked } = await imported(server(), file(rows), path('check'));
  expect(checked).toMatchObject({ updated: 2, unchanged: COUNT - 5, errors: 3 });
  expect(await errorsOf(server(), id)).toMatchObject([
    { row: rowOf('5'), column: 'email', detail: `is in use by row ${rowOf('900')}, which is rejected` },
    {
      row: rowOf('40'),
      column: 'email',
      value: `outsider@${domain}`,
      detail: 'is already in use by another agent',
    },
    { row: rowOf('900'), column: 'email', detail: `is in use by row ${rowOf('40')}, which is rejected` },
  ]);
  expect(await written(server(), id, { skip: ['errors'] })).toMatchObject({ updated: 2, errors: 3 });
  expect(await moved()).toEqual({ 41: '901', 901: '41' });
});

it('rows that name agents by their IDs can pass on addresses, also with a status, and an undo gives them back', async () => {
  const { create, get } = directoryOf(server());
  const email = (key: string) => `${key}@${newSource().name.replace(' ', '-')}.example`;
  const agents = await Promise.all(['a', 'b', 'c'].map((key) => create('agents', { email: email(key) })));
  const [a, b, c] = agents as [Agent, Agent, Agent];
  const body = `id,email,status\n${a.id.toUpperCase()},${b.email},inactive\n${b.id},${c.email},\n${c.id},,inactive\n`;
  const { id, ...result } = await imported(server(), body, {
    path: '/imports/agents/file?mode=write&emptyCells=clear',
  });
  const done =
    result.step === 'write'
      ? result
      : await written(server(), id, { acceptWarnings: result.findings?.warnings ?? [] });
  expect(done).toMatchObject({ status: 'completed', updated: 3 });
  const now = async () =>
    (await Promise.all(agents.map(({ id }) => get('agents', id)))).map(({ email }) => email);
  expect(await now()).toEqual([b.email, c.email, null]);
  const undo = (await (await server().request('PUT', `/imports/${id}/undo`, {})).json()) as Job;
  expect(await ended<Job>(server(), `/jobs/${undo.id}`)).toMatchObject({ status: 'completed', changed: 3 });
  expect(await now()).toEqual(agents.map(({ email }) => email));
});

it('an undo gives two agents their addresses back also if it rejects others between them', async () => {
  const { create, get, remove } = directoryOf(server());
  const { id: gone } = await create('offices');
  const { id: office } = await create('offices');
  const agent = (officeId: string) =>
    create('agents', { officeId, email: `agent@${newSource().name.replace(' ', '-')}.example` });
  const [a, c, d, b] = [await agent(office), await agent(gone), await agent(office), await agent(office)];
  const rows = [a, c, d, b].map(({ id }, place) => `${id},${[b, d, c, a][place]?.email},${office}`);
  const body = ['id,email,officeId', ...rows].join('\n');
  const { id, findings } = await imported(server(), body, { path: '/imports/agents/file' });
  expect(await written(server(), id, { acceptWarnings: findings?.warnings ?? [] })).toMatchObject({
    updated: 4,
  });
  await remove('offices', gone);
  const undo = (await (await server().request('PUT', `/imports/${id}/undo`, {})).json()) as Job;
  expect(await ended<Job>(server(), `/jobs/${undo.id}`)).toMatchObject({
    changed: 2,
    rejected: 2,
    errors: [{ id: c.id }, { id: d.id }],
  });
  const now = await Promise.all([a, b, c, d].map((one) => get('agents', one.id)));
  expect(now.map(({ email }) => email)).toEqual([a, b, d, c].map(({ email }) => email));
});

it('an address alone means the agent who has it now, wherever the file gives it to another', async () => {
  const { name, domain, moved } = await agentsOf(600);
  const { rows: agents } = await sql<{ id: string; key: string }>`
    select id, source_key as key from agent where source_name = ${name}`.execute(server().database.db);
  const rows = agents.map(({ id, key }) => `${id},Ana,Silva,${key === '1' ? 'new' : key}@${domain}`);
  const body = ['id,firstName,lastName,email', ...rows, `,Ana,Silva,1@${domain}`].join('\n');
  const { id } = await imported(server(), body, { path: '/imports/agents/file' });
  expect(await errorsOf(server(), id)).toMatchObject([
    { row: 602, column: 'email', value: `1@${domain}`, code: 'repeated' },
  ]);
  await written(server(), id, { skip: ['errors'] });
  expect(await moved()).toEqual({ 1: 'new' });
});

it('the source of a merged agent gives up the address of its survivor', async () => {
  const { name, path, file, keys, moved } = await agentsOf(600);
  const idOf = async (key: string) =>
    (await directoryOf(server()).list('agents', `sourceName=${name}&sourceKey=${key}`)).items[0]?.id;
  const merge = `/agents/${await idOf('599')}/merge`;
  const merged = await server().request('POST', merge, { duplicateId: await idOf('600') });
  expect(merged.status).toBe(200);
  const others = keys.slice(1, 598).map((key) => [key, key] as const);
  const rows = [['1', '599'], ...others, ['600', 'new']] as const;
  const { id } = await imported(server(), file(rows), path('check'));
  expect(await written(server(), id)).toMatchObject({ updated: 2, errors: 0 });
  expect(await moved()).toEqual({ 1: '599', 599: 'new' });
});

it('more than 500 rows that pass on one address after the other are rejected, and others are not', async () => {
  const { path, file, keys, moved } = await agentsOf(600);
  const chain = keys.slice(0, 501).map((key, index) => [key, keys[index + 1] ?? ''] as const);
  const pair = [
    ['550', '560'],
    ['560', '550'],
  ] as const;
  const { id, ...checked } = (await imported(
    server(),
    file([...chain, ['502', 'new'], ...pair]),
    path('check'),
  )) as Import;
  expect(checked).toMatchObject({ updated: 2, errors: 502 });
  expect((await errorsOf(server(), id))[0]).toMatchObject({
    column: 'email',
    code: 'too_many',
    detail: 'is one of 502 that agents pass on to each other; at most 500 can depend on each other',
  });
  await written(server(), id, { skip: ['errors'] });
  expect(await moved()).toEqual({ 550: '560', 560: '550' });
});
