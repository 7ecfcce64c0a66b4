import { chmodSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewAgent, NewOffice } from '@roster/client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startHostileProxy } from '../support/hostile-proxy.ts';
import { runCli } from '../support/run-cli.ts';
import { type TestService, useTestService } from '../support/test-service.ts';

const here = useTestService();
const there = useTestService();
const directory = mkdtempSync(join(tmpdir(), 'roster-export-'));
let files = 0;

async function exported({ at }: TestService, resource: string, options: string[], extension = 'csv') {
  files += 1;
  const file = join(directory, `${files}.${extension}`);
  const { exit, stderr } = await at('pipe', [resource, 'export', file, ...options]);
  expect([exit, stderr]).toEqual([0, expect.stringMatching(/^Exported \d/)]);
  return file;
}

/** Imports a file. Resolves to the counts of results. */
async function imported({ at }: TestService, resource: string, file: string, options: string[] = []) {
  const argv = [resource, 'import', file, '--json', ...options];
  const { exit, stdout, stderr } = await at('pipe', argv);
  if (exit !== 0) throw new Error(stderr);
  const { created, updated, unchanged } = JSON.parse(stdout);
  return { created, updated, unchanged };
}

const nasty = fc
  .string({ unit: fc.constantFrom(...`'=+-@"\\,;|[]{}#\n\r\té東😀 ab`), minLength: 1, maxLength: 12 })
  .map((text) => text.trim())
  .filter((text) => text !== '');
const optional = fc.option(nasty);

const record = fc.record({
  bio: optional,
  mlsId: optional,
  phone: fc.constantFrom(null, '+351210000042', '+13055550123'),
  website: fc.constantFrom(null, 'https://x.example/?a=1,2'),
  licenses: fc.array(fc.record({ number: nasty, region: fc.constantFrom(null, '11') }), { maxLength: 2 }),
  address: fc.option(fc.record({ city: nasty, line1: optional })),
  metadata: fc.dictionary(
    fc.stringMatching(/^[a-z=+.]{1,8}$/).filter((key) => key !== '__proto__'),
    fc.string({ maxLength: 8 }).filter((text) => !text.includes('\0')),
  ),
});

const office = fc.record({
  name: nasty,
  branchType: fc.constantFrom(null, 'main' as const, 'stand_alone' as const),
});
const agent = fc.record({
  firstName: nasty,
  lastName: nasty,
  displayName: optional,
  languages: fc.subarray(['pt-PT', 'en', 'zh-Hant']),
  designations: fc.array(nasty, { maxLength: 3 }),
});

describe('an export', () => {
  it('to a file begins with a byte order mark for Excel, and replaces no file without --force', async () => {
    const { at, client } = here;
    await client().offices.create.mutate({ name: 'São Bento' });
    const file = await exported(here, 'offices', []);
    expect(readFileSync(file, 'utf8')).toMatch(/^\uFEFFid,/);
    writeFileSync(file, 'mine');
    const refused = await at('pipe', ['offices', 'export', file]);
    expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('exists already')]);
    expect(refused.stderr).toContain('Add --force to replace it.');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect((await at('pipe', ['offices', 'export', file, '--force'])).exit).toBe(0);
    const { stdout } = await at('pipe', ['offices', 'export']);
    expect(`\uFEFF${stdout}`).toBe(readFileSync(file, 'utf8').replaceAll('\r\n', '\n'));
  });

  it.each(['csv', 'ndjson'])(
    'can be imported with any content: without changes into the same service, completely into another (%s)',
    async (extension) => {
      const { client } = here;
      const name = `Round trip ${extension}`;
      const samples = fc.sample(fc.tuple(record, office, agent), { numRuns: 15, seed: 7 });
      let mainOfficeId: string | null = null;
      for (const [index, [common, own, person]] of samples.entries()) {
        const source = { name, key: `${index}` };
        const made = await client().offices.create.mutate({
          ...common,
          ...own,
          source,
          mainOfficeId,
        } as NewOffice);
        mainOfficeId = made.id;
        await client().agents.create.mutate({ ...common, ...person, source, officeId: made.id } as NewAgent);
        if (index % 5 === 0) await client().agents.deactivate.mutate({ id: (await lastAgent(name)).id });
      }
      for (const resource of ['offices', 'agents'] as const) {
        const file = await exported(here, resource, ['--source-name', name], extension);
        expect(await imported(here, resource, file)).toEqual({ created: 0, updated: 0, unchanged: 15 });
        expect(await imported(there, resource, file)).toEqual({ created: 15, updated: 0, unchanged: 0 });
        const again = await exported(there, resource, ['--source-name', name], extension);
        expect(withoutIds(again)).toBe(withoutIds(file));
        for await (const left of client()[resource].all({ sourceName: [name] }))
          expect(left.version).toBeLessThan(3);
        if (extension === 'csv') await expectRestored(resource, file, name);
      }
    },
  );

  /** Expects that an export brings back what was given a value since, if empty cells clear. */
  async function expectRestored(resource: 'offices' | 'agents', file: string, name: string) {
    const { items } = await here.client()[resource].list.query({ sourceName: [name] });
    const [one] = items.filter(({ mlsId }) => mlsId === null);
    if (one === undefined) throw new Error('every record has a number');
    await here.client()[resource].update.mutate({ id: one.id, mlsId: 'SINCE' });
    expect(await imported(here, resource, file)).toMatchObject({ updated: 0 });
    const clearing = ['--empty-cells', 'clear', '--accept-warning', 'clears'];
    expect(await imported(here, resource, file, clearing)).toMatchObject({ updated: 1, unchanged: 14 });
    expect(await here.client()[resource].get.query({ id: one.id })).toMatchObject({ mlsId: null });
  }

  async function lastAgent(sourceName: string) {
    const { items } = await here.client().agents.list.query({ sourceName: [sourceName], limit: 1 });
    return items[0] as { id: string };
  }

  /** Ids differ in another service. */
  function withoutIds(file: string): string {
    return readFileSync(file, 'utf8').replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID');
  }

  it('of records without a source is imported elsewhere by their ids with --source', async () => {
    const { client } = here;
    const head = await client().offices.create.mutate({ name: 'Unsourced', mlsId: 'UN' });
    await client().offices.create.mutate({ name: 'Arm', mlsId: 'UN', mainOfficeId: head.id });
    await client().agents.create.mutate({ firstName: 'Ana', lastName: 'Un', mlsId: 'UN', officeId: head.id });
    const offices = await exported(here, 'offices', ['--mls-id', 'UN']);
    const agents = await exported(here, 'agents', ['--mls-id', 'UN']);
    expect(await imported(here, 'offices', offices)).toEqual({ created: 0, updated: 0, unchanged: 2 });
    expect(await imported(here, 'agents', agents)).toEqual({ created: 0, updated: 0, unchanged: 1 });
    const source = ['--source', 'Here'];
    expect(await imported(there, 'offices', offices, source)).toEqual({
      created: 2,
      updated: 0,
      unchanged: 0,
    });
    expect(await imported(there, 'agents', agents, source)).toEqual({ created: 1, updated: 0, unchanged: 0 });
    const [found] = (await there.client().agents.list.query({ mlsId: ['UN'], expand: 'office' })).items;
    expect(found).toMatchObject({ office: { name: 'Unsourced' } });
    const [arm] = (await there.client().offices.list.query({ q: 'Arm', mlsId: ['UN'] })).items;
    expect(arm?.mainOfficeId).toBe(found?.officeId);
    expect(await imported(there, 'offices', offices, source)).toEqual({
      created: 0,
      updated: 0,
      unchanged: 2,
    });
  });

  it('writes all pages to stdout without a file, and escapes formulas', async () => {
    const { client, at } = here;
    const records = Array.from({ length: 201 }, (_, index) => ({ name: `=cmd ${index}`, mlsId: 'PG' }));
    await client().imports.offices.mutate({ records });
    const { stdout, stderr } = await at('pipe', ['offices', 'export', '--mls-id', 'PG']);
    expect(stdout.split('\n')).toHaveLength(203);
    expect(stdout).toContain(",'=cmd 200,");
    expect(stderr).toBe('Exported 201 offices.\n');
    const ndjson = await at('pipe', ['offices', 'export', '--mls-id', 'PG', '--format', 'ndjson']);
    expect(ndjson.stdout.split('\n')).toHaveLength(202);
    const file = join(directory, 'none', 'x.csv');
    expect(await at('pipe', ['offices', 'export', file])).toMatchObject({ exit: 2 });
  });

  it('writes a file with mode 0600, whatever its mode was before', async () => {
    const file = await exported(here, 'offices', []);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o666);
    expect(await here.at('pipe', ['offices', 'export', file, '--force'])).toMatchObject({ exit: 0 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('writes to stdout for -, unchanged in a pipe and with visible escapes on a terminal', async () => {
    await here.client().offices.create.mutate({ name: 'Escape', mlsId: 'ESC' });
    await using relay = await startHostileProxy(here.url());
    const exported = (output: 'pipe' | 'terminal') =>
      runCli(['offices', 'export', '-', '--mls-id', 'ESC'], { url: relay.url, key: here.key(), output });
    expect((await exported('pipe')).stdout).toContain('\u001b[2J');
    const { stdout } = await exported('terminal');
    expect(stdout).toContain(String.raw`\u001b[2J`);
    expect(stdout).not.toContain('\u001b');
  });

  it('has only the ids of offices without the scope offices:read, and prints a note', async () => {
    const { client, at } = here;
    const source = { name: 'Scope', key: '1' };
    const { id } = await client().offices.create.mutate({ name: 'Scoped', source });
    await client().agents.create.mutate({ firstName: 'Ana', lastName: 'Sc', mlsId: 'SC', officeId: id });
    const { secret } = await client().keys.create.mutate({ name: 'agents', scopes: ['agents:read'] });
    const argv = ['agents', 'export', '--mls-id', 'SC', '--format', 'ndjson'];
    const { stdout, stderr } = await at('pipe', argv, { key: secret });
    expect(JSON.parse(stdout)).toMatchObject({ officeId: id, officeSource: null });
    expect(stderr).toContain("Your key can't read offices");
    expect(JSON.parse((await at('pipe', argv)).stdout)).toMatchObject({ officeSource: source });
  });

  it('of the samples equals the samples, which are valid', async () => {
    const samples = new URL('../../../../samples/', import.meta.url).pathname;
    const offices = await imported(there, 'offices', `${samples}offices.csv`);
    expect(offices).toMatchObject({ updated: 0, unchanged: 0 });
    const agents = await imported(there, 'agents', `${samples}agents.csv`, ['--dry-run']);
    expect(agents).toMatchObject({ updated: 0, unchanged: 0 });
    expect(agents.created).toBeGreaterThan(60);
    const file = await exported(there, 'offices', ['--source-name', 'Sample MLS']);
    expect(await imported(there, 'offices', file)).toEqual({
      created: 0,
      updated: 0,
      unchanged: offices.created,
    });
    writeFileSync(file, readFileSync(file, 'utf8').replace('Casa Clara Baixa', 'Casa Clara Chiado'));
    expect(await imported(there, 'offices', file)).toMatchObject({
      updated: 1,
      unchanged: offices.created - 1,
    });
  });
});

it('writes the records that match a search, and none that are only similar', async () => {
  const service = here;
  await service.client().agents.create.mutate({ firstName: 'Eva', lastName: 'Quaresmeira' });
  const countOf = async (q: string) =>
    readFileSync(await exported(service, 'agents', ['--q', q]), 'utf8')
      .trim()
      .split('\n').length - 1;
  expect(await countOf('quaresmeira')).toBe(1);
  expect((await service.client().agents.list.query({ q: 'quaresmera' })).isSimilar).toBe(true);
  expect(await countOf('quaresmera')).toBe(0);
});
