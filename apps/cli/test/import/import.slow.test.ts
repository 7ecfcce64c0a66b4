import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useTestService } from '../support/test-service.ts';

const { at, client } = useTestService();
const directory = mkdtempSync(join(tmpdir(), 'roster-import-'));
let files = 0;

function fileOf(text: string, extension = 'csv'): string {
  files += 1;
  const file = join(directory, `${files}.${extension}`);
  writeFileSync(file, text);
  return file;
}

/** Imports a text. Resolves to the counts of results, without records that look like those of other tests. */
async function importing(resource: string, text: string, options: string[] = [], extension = 'csv') {
  const argv = [resource, 'import', fileOf(text, extension), '--json', ...options];
  const { exit, stdout, stderr } = await at('pipe', argv);
  if (exit !== 0) throw new Error(stderr);
  const { rows, id: _id, lookAlikes: _lookAlikes, ...counts } = JSON.parse(stdout);
  return { rows, ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)) };
}

async function one(resource: 'offices' | 'agents', name: string, key: string) {
  const { items } = await client()[resource].list.query({ sourceName: [name], sourceKey: [key] });
  expect(items).toHaveLength(1);
  return items[0];
}

describe('an import', () => {
  it('creates and updates records, and leaves equal ones unchanged', async () => {
    const head = 'source.name,source.key,name,phone,address.city';
    const text = `${head}\nOnce,1,A,+351210000001,Porto\nOnce,2,B,+351210000002,Faro\n`;
    expect(await importing('offices', text)).toEqual({ rows: 2, created: 2 });
    expect(await importing('offices', text)).toEqual({ rows: 2, unchanged: 2 });
    const { version } = (await one('offices', 'Once', '1')) ?? {};
    expect(version).toBe(1);
    const changed = 'source.name,source.key,name,phone\nOnce,1,A,\nOnce,3,C,+351210000003\n';
    expect(await importing('offices', changed)).toEqual({ rows: 2, created: 1, unchanged: 1 });
    const office = await one('offices', 'Once', '1');
    expect(office).toMatchObject({ phone: '+351210000001', address: { city: 'Porto' } });
  });

  it('clears by empty cells only if that is said of the file or a column, and accepted', async () => {
    const [head, name] = ['source.name,source.key,name,phone,address.city', 'Cleared'];
    await importing('offices', `${head}\n${name},1,A,+351210000001,Porto\n`);
    const partial = `${head}\n${name},1,A,,\n`;
    const clear = ['--empty-cells', 'clear'];
    await expect(importing('offices', partial, clear)).rejects.toThrow(
      /1 row clears fields with empty cells \(address.city: 1, phone: 1\), and nothing was written[\s\S]*--accept-warning clears/,
    );
    expect(await one('offices', name, '1')).toMatchObject({ phone: '+351210000001' });
    const column = ['--empty-cells', 'phone=clear', '--accept-warning', 'clears'];
    expect(await importing('offices', partial, column)).toEqual({ rows: 1, updated: 1 });
    expect(await one('offices', name, '1')).toMatchObject({ phone: null, address: { city: 'Porto' } });
    expect(await importing('offices', partial, [...clear, '--accept-warning', 'clears'])).toEqual({
      rows: 1,
      updated: 1,
    });
    expect((await one('offices', name, '1'))?.address?.city ?? null).toBe(null);
  });

  it.each([
    [['nothing'], '--empty-cells takes keep, clear, <header>=keep or <header>=clear, not "nothing"'],
    [['phone=drop'], '--empty-cells takes keep or clear, not "drop"'],
    [['keep', 'clear'], '--empty-cells is given twice for the file'],
  ])('rejects --empty-cells %j', async (given, message) => {
    const options = given.flatMap((text) => ['--empty-cells', text]);
    await expect(importing('offices', 'name\nA\n', options)).rejects.toThrow(message);
  });

  it('writes nothing in a dry run, and prints the predicted results', async () => {
    const text = 'source.name,source.key,name\nDry,1,A\n';
    expect(await importing('offices', text, ['--dry-run'])).toEqual({ rows: 1, created: 1 });
    expect((await client().offices.list.query({ sourceName: ['Dry'] })).items).toEqual([]);
  });

  it('accepts the names of the Data Dictionary, whose keys are those of another system', async () => {
    const offices =
      'OfficeKey,officename,OFFICEBRANCHTYPE,MainOfficeKey,OfficeStatus,OfficePostalCode,OfficePostalCodePlus4,' +
      'OfficeCountry,OfficeCorporateLicense,OriginatingSystemName\n' +
      'H1,Head,Main,,Active,12345,6789,US,L-1,Old MLS\nH2,Arm,Branch,H1,Inactive,1000-001,,PT,,Old MLS\n';
    expect(await importing('offices', offices)).toEqual({ rows: 2, created: 2 });
    const head = await one('offices', 'Old MLS', 'H1');
    expect(head).toMatchObject({
      branchType: 'main',
      status: 'active',
      address: { postalCode: '12345-6789' },
      licenses: [{ number: 'L-1', region: null }],
    });
    expect(await one('offices', 'Old MLS', 'H2')).toMatchObject({
      status: 'inactive',
      mainOfficeId: head?.id,
    });
    const agents =
      'MemberKey,MemberFirstName,MemberLastName,OfficeKey,MemberLanguages,MemberStateLicense,MemberStateLicenseState\n' +
      'M1,Ana,Reis,H1,"pt,en",CI-1,11\n';
    expect(await importing('agents', agents, ['--source', 'Old MLS'])).toEqual({ rows: 1, created: 1 });
    expect(await one('agents', 'Old MLS', 'M1')).toMatchObject({
      officeId: head?.id,
      languages: ['pt', 'en'],
      licenses: [{ number: 'CI-1', region: '11' }],
    });
    expect(await importing('offices', offices)).toEqual({ rows: 2, unchanged: 2 });
  });

  it('sets the status of records to that in the file, in both directions', async () => {
    const text = (status: string) => `source.name,source.key,name,status\nState,1,A,${status}\n`;
    await importing('offices', text('inactive'));
    expect(await one('offices', 'State', '1')).toMatchObject({ status: 'inactive' });
    expect(await importing('offices', text('inactive'))).toEqual({ rows: 1, unchanged: 1 });
    expect(await importing('offices', text('Active'), ['--dry-run'])).toEqual({ rows: 1, updated: 1 });
    expect(await importing('offices', text('Active'))).toEqual({ rows: 1, updated: 1 });
    expect(await one('offices', 'State', '1')).toMatchObject({ status: 'active' });
  });

  it('derives missing keys from a column or from the values, so that the same file changes nothing', async () => {
    const text = 'name,number,bio\nA,7,x\nB,8,y\n';
    const byColumn = ['--source', 'Column', '--key-column', 'number'];
    expect(await importing('offices', text, byColumn)).toEqual({ rows: 2, created: 2 });
    expect(await one('offices', 'Column', '7')).toMatchObject({ name: 'A' });
    const byHash = ['--source', 'Hash', '--ignore', 'number'];
    expect(await importing('offices', text, byHash)).toEqual({ rows: 2, created: 2 });
    const turned = 'bio,name\ny,B\nx,A\nz,C\n';
    expect(await importing('offices', turned, byHash)).toEqual({ rows: 3, created: 1, unchanged: 2 });
  });

  it('updates records without a source by their ids, and rejects unknown ids', async () => {
    const { id } = await client().offices.create.mutate({ name: 'Own', phone: '+351210000001' });
    expect(await importing('offices', `id,name,phone\n${id},Own,+351210000001\n`)).toEqual({
      rows: 1,
      unchanged: 1,
    });
    expect(await importing('offices', `id,phone\n${id},+351210000002\n`)).toEqual({ rows: 1, updated: 1 });
    expect(await client().offices.get.query({ id })).toMatchObject({
      name: 'Own',
      phone: '+351210000002',
      version: 2,
    });
    const lost = importing('offices', 'id,name\n01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11,X\n');
    await expect(lost).rejects.toThrow('is not the ID of an existing record');
  });

  it('reads NDJSON as the service returns it, and semicolon-separated cells', async () => {
    const lines = [
      { source: { name: 'Nested', key: '1' }, name: 'A', address: { city: 'Porto' }, metadata: { a: '1' } },
      { source: { name: 'Nested', key: '2' }, name: 'B', mainOfficeSource: { name: 'Nested', key: '1' } },
    ];
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    expect(await importing('offices', text, [], 'ndjson')).toEqual({ rows: 2, created: 2 });
    expect(await one('offices', 'Nested', '1')).toMatchObject({
      address: { city: 'Porto' },
      metadata: { a: '1' },
    });
    const semicolons = 'source.name;source.key;name;metadata.costCentre\nNested;3;A, B;4711\n';
    expect(await importing('offices', semicolons)).toEqual({ rows: 1, created: 1 });
    expect(await one('offices', 'Nested', '3')).toMatchObject({
      name: 'A, B',
      metadata: { costCentre: '4711' },
    });
  });

  it('reads stdin and detects its format, and has a command that undoes it only if it changed something', async () => {
    const csv = await at('pipe', ['offices', 'import', '-'], {
      input: 'source.name,source.key,name\nPipe,1,A\n',
    });
    expect(csv.stdout.replaceAll(/^(?:id|lookAlikes)\t.*\n/gm, '')).toBe(
      'field\tvalue\nrows\t1\ncreated\t1\nupdated\t0\nunchanged\t0\nerrors\t0\nwarnings\t0\nskipped\t0\n' +
        'matchedByEmail\t0\ncreatedWithoutKey\t0\ncreatedWithoutEmail\t0\n',
    );
    expect(csv.stderr).toMatch(/Checking: 100 %, 1 row\n/);
    expect(csv.stderr).toMatch(/Importing: 100 %, 1 row\nUndo it with: roster imports undo /);
    const again = await at('pipe', ['offices', 'import', '-'], {
      input: 'source.name,source.key,name\nPipe,1,A\n',
    });
    expect(again.stderr).toMatch(/Importing: 100 %, 1 row\n$/);
    const json = await at('pipe', ['offices', 'import', '-', '--dry-run'], {
      input: '{"source":{"name":"Pipe","key":"2"},"name":"B"}\n',
    });
    expect([json.exit, json.stderr]).toEqual([0, expect.stringContaining('Nothing was written.')]);
  });
});
