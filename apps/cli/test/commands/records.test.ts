import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareAll } from '@roster/server/testing/comparison';
import { describe, expect, it } from 'vitest';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
const { at, client, name, printed } = service;

describe('create', () => {
  const alike = ['--first-name', 'Marta', '--last-name', 'Vilhena', '--mls-id', 'LX-120'];

  it('says in a pipe which records the new one looks like, and creates it; with --json nothing, for errors are JSON there', async () => {
    await printed('agents', 'create', ...alike);
    await compareAll(service.database().db);
    const { exit, stderr } = await at('pipe', ['agents', 'create', ...alike]);
    expect(stderr).toMatch(/^Looks like Marta Vilhena \([^)]+\), 0\.\d+: Same mlsId LX120; Same name\n$/);
    expect(exit).toBe(0);
    for (const option of ['--no-check', '--json']) {
      const unchecked = await at('pipe', ['agents', 'create', ...alike, option]);
      expect([unchecked.exit, unchecked.stderr.includes('Looks like')], option).toEqual([0, false]);
    }
    const checked = await at('terminal', ['agents', 'check-duplicates', ...alike]);
    expect(checked.stdout).toContain('Marta Vilhena (');
  });

  it('asks on a terminal whether to create it all the same, or to use another one', async () => {
    const answering = (input: string) => at('terminal', ['agents', 'create', ...alike], { input });
    const used = await answering('1\n');
    expect([used.exit, used.stdout]).toEqual([0, '']);
    expect(used.stderr).toMatch(/Nothing was created\. Use "Marta Vilhena" \(.+\)\.\n$/);
    const neither = await answering('9\n');
    expect([neither.exit, neither.stderr]).toEqual([1, expect.stringContaining('nothing was created')]);
    const created = await answering('create\n');
    expect([created.exit, created.stderr]).toEqual([0, expect.stringMatching(/Created Marta Vilhena \(/)]);
  });

  it('creates an office with every kind of field', async () => {
    const office = await printed(
      'offices',
      'create',
      '--name',
      'Γραφείο 東京',
      '--branch-type',
      'main',
      '--email',
      'a@b.example',
      '--address-city',
      'Αθήνα',
      '--address-country',
      'GR',
      '--license',
      'number=A1,expires-on=2027-12-31',
      '--license',
      '{"number":"B,2","region":"11"}',
      '--metadata',
      'costCentre=4711',
      '--source-name',
      'MLS',
      '--source-key',
      'k-1',
    );
    expect(office).toMatchObject({
      name: 'Γραφείο 東京',
      branchType: 'main',
      email: 'a@b.example',
      address: { city: 'Αθήνα', country: 'GR', line1: null },
      licenses: [
        { number: 'A1', region: null, type: null, expiresOn: '2027-12-31' },
        { number: 'B,2', region: '11', type: null, expiresOn: null },
      ],
      metadata: { costCentre: '4711' },
      source: { name: 'MLS', key: 'k-1' },
      version: 1,
    });
  });

  it('creates an agent with one name, who is listed and found by it, and cannot lose it', async () => {
    const { stdout } = await at('pipe', ['agents', 'create', '--last-name', 'Pelé', '--json']);
    const { id } = JSON.parse(stdout);
    const listed = await at('pipe', [
      'agents',
      'list',
      '--q',
      'pele',
      '--columns',
      'displayName,firstName,lastName',
    ]);
    expect(listed.stdout).toBe('displayName\tfirstName\tlastName\nPelé\t\tPelé\n');
    const changed = await printed('agents', 'update', id, '--first-name', 'Edson', '--last-name', '');
    expect(changed).toMatchObject({ firstName: 'Edson', lastName: null, displayName: 'Edson' });
    for (const output of ['terminal', 'pipe'] as const)
      for (const argv of [
        ['update', id, '--first-name', ''],
        ['create', '--title', 'Broker'],
      ])
        expect(await at(output, ['agents', ...argv])).toMatchObject({
          exit: 2,
          stdout: '',
          stderr: expect.stringContaining('--first-name is required unless --last-name is set'),
        });
  });

  it('creates an agent with lists', async () => {
    const agent = await printed(
      'agents',
      'create',
      '--first-name',
      'Ana',
      '--last-name',
      'Reis',
      '--language',
      'pt-pt',
      '--language',
      'en',
      '--designation',
      'GRI, CRS',
    );
    expect(agent).toMatchObject({
      displayName: 'Ana Reis',
      languages: ['pt-PT', 'en'],
      designations: ['GRI, CRS'],
    });
  });

  it.each([
    ['itself', (json: string) => ({ data: json, input: '' })],
    ['stdin', (json: string) => ({ data: '-', input: `\uFEFF${json}` })],
    [
      'a file',
      (json: string) => {
        const path = join(mkdtempSync(join(tmpdir(), 'roster-cli-')), 'office.json');
        writeFileSync(path, json);
        return { data: `@${path}`, input: '' };
      },
    ],
  ])('reads the body from %s; options take precedence', async (_, source) => {
    const { data, input } = source('{"name":"From data","address":{"city":"Porto","country":"PT"}}');
    const { stdout } = await at(
      'pipe',
      ['offices', 'create', '--data', data, '--address-city', 'Braga', '--json'],
      { input },
    );
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'From data',
      address: { city: 'Braga', country: 'PT' },
    });
  });

  it('prints one sentence with the id on a terminal, and the fields of the new record as TSV in a pipe', async () => {
    const person = await at('terminal', ['offices', 'create', '--name', 'Atlântico']);
    expect(person).toMatchObject({
      exit: 0,
      stdout: '',
      stderr: expect.stringMatching(/^Created Atlântico \(\S{36}\)\n$/),
    });
    const program = await at('pipe', ['offices', 'create', '--name', 'Atlântico']);
    expect(program.stdout).toContain('\nname\tAtlântico\nlegalName\t\n');
  });

  it('prints only the given fields with --json, in their order', async () => {
    const { stdout } = await at('pipe', ['offices', 'create', '--name', 'Few', '--json', 'version,name']);
    expect(stdout).toBe('{\n  "version": 1,\n  "name": "Few"\n}\n');
  });
});

describe('get', () => {
  it('prints the response of the API, with an id in any letter case', async () => {
    const { id } = await client().offices.create.mutate({ name: 'Found' });
    expect(await printed('offices', 'get', id.toUpperCase())).toEqual(
      await client().offices.get.query({ id }),
    );
  });

  it('accepts --json before the id', async () => {
    const { id } = await client().offices.create.mutate({ name: 'Found' });
    expect(JSON.parse((await at('pipe', ['offices', 'get', '--json', id])).stdout)).toMatchObject({ id });
  });

  it('names the missing record, with a hint', async () => {
    name('unknown', { id: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11' });
    expect(await at('pipe', ['agents', 'get', '<unknown>'])).toEqual({
      exit: 1,
      stdout: '',
      stderr:
        `roster: agents get: No agent has the ID ${'<unknown>'.padEnd(36, '-')}\n` +
        'Find the ID with: roster agents list. Restore a deleted one with: roster agents restore <id>\n' +
        'Request ID: <id>\n',
    });
  });
});

describe('update', () => {
  it('changes the given fields and clears those with an empty value', async () => {
    const { id } = await client().offices.create.mutate({
      name: 'Before',
      phone: '+351210000001',
      branchType: 'main',
      licenses: [{ number: 'A' }],
      address: { city: 'Porto', country: 'PT' },
      metadata: { a: '1', b: '2' },
    });
    const office = await printed(
      'offices',
      'update',
      id,
      '--name',
      'After',
      '--phone',
      '',
      '--branch-type',
      '',
      '--license',
      '',
      '--address-city',
      '',
      '--metadata',
      'a=',
      '--metadata',
      'c=3',
    );
    expect(office).toMatchObject({
      name: 'After',
      phone: null,
      branchType: null,
      licenses: [],
      address: { city: null, country: 'PT' },
      metadata: { b: '2', c: '3' },
      version: 2,
    });
  });

  it('accepts a merge patch as --data', async () => {
    const { id } = await client().offices.create.mutate({ name: 'Before' });
    expect(
      await printed('offices', 'update', id, '--data', '{"phone":"+351210000002","address":null}'),
    ).toMatchObject({
      phone: '+351210000002',
      version: 2,
    });
  });

  it('rejects a command without changes', async () => {
    const { id } = await client().offices.create.mutate({ name: 'Same' });
    const outcome = await at('pipe', ['offices', 'update', id]);
    expect(outcome).toEqual({
      exit: 2,
      stdout: '',
      stderr:
        'roster: offices update: there is nothing to change\nSet a field with its option, or pass --data.\n',
    });
  });
});

describe('deactivate and reactivate', () => {
  it('change the status, with a reason and with the agents of the office', async () => {
    const { id } = await client().offices.create.mutate({ name: 'Busy' });
    const agent = await client().agents.create.mutate({ firstName: 'A', lastName: 'B', officeId: id });
    expect(
      await printed('offices', 'deactivate', id, '--reason', 'Moved to Porto', '--cascade'),
    ).toMatchObject({
      status: 'inactive',
      statusReason: 'Moved to Porto',
    });
    expect(await printed('agents', 'get', agent.id)).toMatchObject({ status: 'inactive' });
    expect((await at('pipe', ['agents', 'reactivate', agent.id])).stderr).toContain('office');
    expect(await printed('offices', 'reactivate', id, '--cascade')).toMatchObject({
      status: 'active',
      statusReason: null,
      cascaded: { agents: 1, affiliations: 0, rejected: 0, errors: [] },
    });
    expect(await printed('agents', 'get', agent.id)).toMatchObject({ status: 'active' });
  });

  it('need no reason', async () => {
    const { id } = await client().offices.create.mutate({ name: 'Quiet' });
    expect(await printed('offices', 'deactivate', id)).toMatchObject({
      status: 'inactive',
      statusReason: null,
    });
  });
});

describe('update with what was read', () => {
  const read = async () => {
    const { id } = await client().offices.create.mutate({ name: 'Casa' });
    return client().offices.get.query({ id });
  };

  it('changes the fields that are other than they were', async () => {
    const office = await read();
    const update = ['offices', 'update', office.id, '--data', JSON.stringify({ ...office, bio: 'New' })];
    expect((await at('pipe', update)).exit).toBe(0);
    expect(await client().offices.get.query({ id: office.id })).toMatchObject({ bio: 'New', version: 2 });
  });

  it('names each read-only field that has another value', async () => {
    const office = await read();
    const changed = { ...office, version: 9, status: 'inactive' };
    const { exit, stderr } = await at('pipe', [
      'offices',
      'update',
      office.id,
      '--data',
      JSON.stringify(changed),
    ]);
    expect(exit).toBe(2);
    for (const words of [
      'version is set by the server',
      'status can only be changed by deactivate and reactivate',
    ])
      expect(stderr).toContain(words);
  });

  it('is rejected if it is that of another record', async () => {
    const [one, other] = [await read(), await read()];
    const { exit, stderr } = await at('pipe', ['offices', 'update', one.id, '--data', JSON.stringify(other)]);
    expect([exit, stderr]).toEqual([2, expect.stringContaining(`--data has the ID ${other.id}`)]);
  });
});
