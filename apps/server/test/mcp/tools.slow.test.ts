import { setTimeout } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectedClient, errorOf, mcpVersions, resultOf } from '../support/http/mcp-client.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

interface Change {
  isWritten: boolean;
  checked?: string;
  data: {
    id: string;
    version: number;
    changes: { field: string; before: unknown; after: unknown }[];
    notReverted?: unknown[];
  };
}
interface Found {
  data: Record<string, unknown>[];
  nextCursor?: string;
  total?: number;
}
type Row = Record<string, unknown> & { id: string; version: number };

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

async function make(path: 'agents' | 'offices', body: object): Promise<Row> {
  const response = await server.request('POST', `/${path}`, body);
  expect(response.status).toBe(201);
  return (await response.json()) as Row;
}

async function read(path: string): Promise<Row> {
  return (await (await server.request('GET', path)).json()) as Row;
}

describe.each(mcpVersions)('the tools, by a client of %s', (version) => {
  let client: Client;
  beforeAll(async () => {
    client = await connectedClient({ ...server, version });
  });
  afterAll(() => client.close());

  it('negotiates this version', () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
  });

  it('find_agents returns a few fields of those that match, in pages', async () => {
    const office = await make('offices', { name: 'Casa das Páginas' });
    const lastName = `Lemos${version.replaceAll('-', '')}`;
    for (const firstName of ['Ana', 'Bea', 'Caio'])
      await make('agents', { firstName, lastName, officeId: office.id, bio: 'Long' });
    const query = { q: lastName, sort: 'lastName', limit: 2, includeTotal: true };
    const first = await resultOf<Found>(client, 'find_agents', query);
    expect(first).toMatchObject({
      notice: expect.stringContaining('data'),
      total: 3,
      data: [
        {
          displayName: `Ana ${lastName}`,
          officeId: office.id,
          officeName: 'Casa das Páginas',
          status: 'active',
        },
        { displayName: `Bea ${lastName}` },
      ],
    });
    expect(first.data[0]).not.toHaveProperty('bio');
    const second = await resultOf<Found>(client, 'find_agents', { ...query, cursor: first.nextCursor });
    expect(second.data).toMatchObject([{ displayName: `Caio ${lastName}` }]);
    expect(second).not.toHaveProperty('nextCursor');
  });

  it('find_offices returns those that match', async () => {
    const name = `Torre ${version}`;
    await make('offices', { name, address: { city: 'Faro', country: 'PT' } });
    const found = await resultOf<Found>(client, 'find_offices', { q: name, limit: 1 });
    expect(found.data).toMatchObject([{ name, city: 'Faro', country: 'PT', version: 1 }]);
  });

  it('get_record returns all fields', async () => {
    const agent = await make('agents', { firstName: 'Rui', lastName: 'Sá', bio: 'By the river.' });
    const { data } = await resultOf(client, 'get_record', { resource: 'agents', id: agent.id });
    expect(data).toEqual(agent);
  });

  it('office_roster returns an office, its counts and its agents', async () => {
    const office = await make('offices', { name: 'Casa do Rol' });
    await make('agents', { firstName: 'Eva', lastName: 'Pio', officeId: office.id });
    const left = await make('agents', { firstName: 'Ida', lastName: 'Foi', officeId: office.id });
    await server.request('PUT', `/agents/${left.id}/deactivate`);
    expect(await resultOf(client, 'office_roster', { officeId: office.id })).toMatchObject({
      data: {
        office: { name: 'Casa do Rol', counts: { agents: { active: 1, inactive: 1 } } },
        agents: [{ displayName: 'Eva Pio' }],
      },
    });
  });

  it('history returns who changed what', async () => {
    const { id } = await make('agents', { firstName: 'Zé', lastName: 'Novo' });
    await server.request('PATCH', `/agents/${id}`, { title: 'Broker' });
    const { data } = await resultOf<Found>(client, 'history', { resource: 'agents', id, limit: 1 });
    expect(data).toMatchObject([
      { version: 2, type: 'agent.updated', changes: [{ field: 'title', before: null, after: 'Broker' }] },
    ]);
  });

  it('licenses_expiring returns the earliest first', async () => {
    const licensed = (lastName: string, expiresOn: string) =>
      make('agents', { firstName: 'L', lastName, licenses: [{ number: 'CI-1', expiresOn }] });
    await licensed(`Tarde ${version}`, '2001-02-02');
    await licensed(`Cedo ${version}`, '2001-01-01');
    const query = { before: '2001-03-01', limit: 50 };
    const { data, before } = await resultOf<Found & { before: string }>(client, 'licenses_expiring', query);
    expect(before).toBe('2001-03-01');
    const names = data.map(({ displayName }) => displayName).filter((name) => String(name).endsWith(version));
    expect(names).toEqual([`L Cedo ${version}`, `L Tarde ${version}`]);
    expect(data[0]).toMatchObject({ licenses: [{ number: 'CI-1', expiresOn: '2001-01-01' }] });
  });

  it('stats returns the counts, of each list the beginning', async () => {
    const { data } = await resultOf<{ data: { agents: { byOffice: unknown[]; active: number } } }>(
      client,
      'stats',
      {
        officesMax: 1,
      },
    );
    expect(data.agents.active).toBeGreaterThan(0);
    expect(data.agents.byOffice).toHaveLength(1);
  });

  it('create writes unless it is a dry run, which finds what the service would reject', async () => {
    const email = `bia-${version}@example.com`;
    const values = { firstName: 'Bia', lastName: 'Cruz', email };
    const tried = await resultOf<Change>(client, 'create', { resource: 'agents', values, dryRun: true });
    expect(tried).toMatchObject({ isWritten: false, checked: 'everything', data: { id: null } });
    const made = await resultOf<Change>(client, 'create', { resource: 'agents', values });
    expect(made).toMatchObject({ isWritten: true, data: { version: 1, name: 'Bia Cruz' } });
    expect(made.data.changes).toContainEqual({ field: 'email', before: null, after: email });
    expect(await read(`/agents/${made.data.id}`)).toMatchObject(values);
    for (const dryRun of [true, false]) {
      const error = await errorOf(client, 'create', { resource: 'agents', values, dryRun });
      expect(error).toMatchObject({ code: 'email_taken', errors: [{ pointer: '#/email' }] });
    }
  });

  it('update only returns what would change until dryRun is false', async () => {
    const agent = await make('agents', { firstName: 'Gil', lastName: 'Eanes', title: 'Junior' });
    const args = { resource: 'agents', id: agent.id, changes: { title: 'Senior', metadata: { a: '1' } } };
    const changes = [
      { field: 'title', before: 'Junior', after: 'Senior' },
      { field: 'metadata', before: {}, after: { a: '1' } },
    ];
    const tried = await resultOf<Change>(client, 'update', args);
    expect(tried).toMatchObject({ isWritten: false, checked: 'everything', data: { version: 1, changes } });
    expect(await read(`/agents/${agent.id}`)).toEqual(agent);
    const written = await resultOf<Change>(client, 'update', { ...args, dryRun: false, ifVersion: 1 });
    expect(written).toMatchObject({ isWritten: true, data: { id: agent.id, version: 2, changes } });
    const repeated = await resultOf<Change>(client, 'update', { ...args, dryRun: false });
    expect(repeated.data).toMatchObject({ version: 2, changes: [] });
    for (const dryRun of [true, false]) {
      const error = await errorOf(client, 'update', { ...args, dryRun, ifVersion: 1 });
      expect(error).toMatchObject({ code: 'version_conflict', currentVersion: 2 });
      const invalid = { ...args, changes: { email: 'none' }, dryRun };
      expect(await errorOf(client, 'update', invalid)).toMatchObject({ code: 'validation_failed' });
    }
  });

  it('update takes what was read, and names each read-only field that has another value', async () => {
    const office = await make('offices', { name: 'Casa de Volta' });
    const args = { resource: 'offices', id: office.id };
    const changes = [{ field: 'bio', before: null, after: 'New' }];
    for (const dryRun of [true, false]) {
      const same = await resultOf<Change>(client, 'update', { ...args, changes: office, dryRun });
      expect(same.data).toMatchObject({ version: 1, changes: [] });
    }
    for (const dryRun of [true, false]) {
      const back = await resultOf<Change>(client, 'update', {
        ...args,
        changes: { ...office, bio: 'New' },
        dryRun,
      });
      expect(back).toMatchObject({ isWritten: !dryRun, data: { changes } });
    }
    const other = {
      ...(await read(`/offices/${office.id}`)),
      id: crypto.randomUUID(),
      status: 'inactive',
      version: 9,
    };
    for (const dryRun of [true, false]) {
      const { code, errors } = await errorOf(client, 'update', { ...args, changes: other, dryRun });
      const pointers = (errors as { pointer: string; code: string }[]).map(
        (error) => `${error.pointer} ${error.code}`,
      );
      expect([code, ...pointers.toSorted()]).toEqual([
        'validation_failed',
        ...['#/id', '#/status', '#/version'].map((pointer) => `${pointer} read_only`),
      ]);
    }
  });

  it('transfer, deactivate, reactivate and revert try first, and change the named record alone', async () => {
    const [from, to] = [await make('offices', { name: 'De' }), await make('offices', { name: 'Para' })];
    const { id } = await make('agents', { firstName: 'Lia', lastName: 'Mota', officeId: from.id });
    const agent = { resource: 'agents', id };
    const steps: [tool: string, args: object, field: string, before: unknown, after: unknown][] = [
      ['transfer', { id, officeId: to.id, reason: 'Nearer' }, 'officeId', from.id, to.id],
      ['deactivate', { ...agent, reason: 'Left' }, 'status', 'active', 'inactive'],
      ['reactivate', agent, 'status', 'inactive', 'active'],
      ['revert', { ...agent, toVersion: 1 }, 'officeId', to.id, from.id],
    ];
    for (const [index, [tool, args, field, before, after]] of steps.entries()) {
      const current = await read(`/agents/${id}`);
      const tried = await resultOf<Change>(client, tool, { ...args });
      expect(tried, tool).toMatchObject({ isWritten: false, checked: 'everything' });
      expect(tried.data.changes, tool).toContainEqual({ field, before, after });
      expect(await read(`/agents/${id}`)).toEqual(current);
      const written = await resultOf<Change>(client, tool, { ...args, dryRun: false, ifVersion: index + 1 });
      expect(written, tool).toMatchObject({ isWritten: true, data: { version: index + 2 } });
      expect(written.data.changes, tool).toContainEqual({ field, before, after });
    }
    expect(await read(`/offices/${from.id}`)).toEqual(from);
    expect(await read(`/offices/${to.id}`)).toEqual(to);
  });

  it('a dry run finds what only the database knows', async () => {
    const office = await make('offices', { name: 'Fechada' });
    await server.request('PUT', `/offices/${office.id}/deactivate`);
    const { id } = await make('agents', { firstName: 'Tó', lastName: 'Zé' });
    const error = await errorOf(client, 'transfer', { id, officeId: office.id });
    expect(error).toMatchObject({ code: 'office_inactive' });
  });

  it('find_duplicates proposes pairs, and merge makes one of two when it is confirmed', async () => {
    const twin = { firstName: 'Marta', lastName: 'Vilhena', mlsId: crypto.randomUUID() };
    const [one, two] = [await make('agents', twin), await make('agents', { ...twin, bio: 'Second' })];
    const find = () =>
      resultOf<{ data: { records: { id: string }[] }[] }>(client, 'find_duplicates', {
        resource: 'agents',
        recordId: one.id,
      });
    let found = await find();
    for (; found.data.length === 0; found = await find()) await setTimeout(50);
    expect(found.data).toMatchObject([
      {
        reasons: [expect.stringContaining('Same mlsId '), 'Same name'],
        records: [{ id: one.id }, { id: two.id }],
      },
    ]);
    const third = { resource: 'agents', values: twin, dryRun: true };
    const alike = {
      score: expect.any(Number),
      reasons: [expect.stringContaining('Same mlsId '), 'Same name'],
    };
    expect(await resultOf(client, 'create', third)).toMatchObject({
      isWritten: false,
      lookAlikes: [one, two].map(({ id }) => ({ ...alike, id, name: 'Marta Vilhena' })),
    });
    const pair = { resource: 'agents', id: one.id, duplicateId: two.id };
    const changes = [{ field: 'bio', before: null, after: 'Second' }];
    const tried = await resultOf<Change>(client, 'merge', pair);
    expect(tried).toMatchObject({ isWritten: false, checked: 'everything', data: { version: 1, changes } });
    expect(await read(`/agents/${two.id}`)).toMatchObject({ version: 1 });
    const merged = await resultOf<Change>(client, 'merge', { ...pair, dryRun: false });
    expect(merged).toMatchObject({ isWritten: true, data: { version: 2, changes } });
    const gone = await errorOf(client, 'get_record', { resource: 'agents', id: two.id });
    expect(gone).toMatchObject({ code: 'record_merged', status: 410, mergedInto: one.id });
  });

  it('import_dry_run counts, names the records with errors, tells its progress and writes nothing', async () => {
    const email = `novo-${version}@example.com`;
    const records = [{ firstName: 'A', lastName: 'B', email }, { title: 'C' }];
    const progress: number[] = [];
    const result = await client.callTool(
      { name: 'import_dry_run', arguments: { resource: 'agents', records } },
      { onprogress: (one) => progress.push(one.progress) },
    );
    expect(result.structuredContent).toMatchObject({
      isWritten: false,
      created: 1,
      errors: 1,
      data: [{ index: 1, code: 'validation_failed' }],
    });
    expect(progress).toEqual([0, 2]);
    const { items } = (await read(`/agents?email=${email}`)) as unknown as { items: unknown[] };
    expect(items).toEqual([]);
  });

  it('import_dry_run says by what records matched, and rejects another name unless renames are accepted', async () => {
    const email = `nome-${version}@example.com`;
    const name = 'import_dry_run';
    const agent = { firstName: 'Ilda', lastName: 'Nunes', email };
    await client.callTool({
      name: 'create',
      arguments: { resource: 'agents', values: agent, dryRun: false },
    });
    const records = [{ ...agent, firstName: 'Joel' }];
    const args = { resource: 'agents', records, mode: 'match' };
    const matched = { email: [0] };
    const result = await client.callTool({ name, arguments: args });
    expect(result.structuredContent).toMatchObject({ errors: 1, updated: 0, matched });
    const accepted = await client.callTool({ name, arguments: { ...args, acceptWarnings: ['renames'] } });
    expect(accepted.structuredContent).toMatchObject({ errors: 0, updated: 1, matched });
  });

  it('returns the errors of the service with code, detail and errors', async () => {
    const id = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';
    expect(await errorOf(client, 'get_record', { resource: 'agents', id })).toMatchObject({
      code: 'not_found',
      detail: expect.any(String),
      requestId: expect.any(String),
    });
    expect(await errorOf(client, 'get_record', { resource: 'agents', id: 'none' })).toMatchObject({
      errors: [{ code: expect.any(String), detail: expect.any(String) }],
    });
    expect(await errorOf(client, 'get_record', { resource: 'agents', id, more: 1 })).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '#/more', code: 'unknown_field' }],
    });
  });

  it('reads records as resources, and has three prompts', async () => {
    const office = await make('offices', { name: 'Casa do Recurso' });
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'roster://agents/{id}',
      'roster://offices/{id}',
      'roster://teams/{id}',
    ]);
    const { contents } = await client.readResource({ uri: `roster://offices/${office.id}` });
    const [{ text = '' } = {}] = contents as { text?: string }[];
    expect(JSON.parse(text)).toEqual({ notice: expect.any(String), data: office });
    for (const id of ['01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11', 'x'])
      await expect(client.readResource({ uri: `roster://offices/${id}` })).rejects.toThrow(/not found/i);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['find_person', 'office_overview', 'licenses_to_renew']);
    for (const { description = '' } of prompts) expect(description.length).toBeGreaterThan(20);
    const prompt = await client.getPrompt({ name: 'find_person', arguments: { name: 'Ana' } });
    expect(prompt.messages[0]?.content).toMatchObject({ text: expect.stringContaining('"Ana"') });
  });
});
