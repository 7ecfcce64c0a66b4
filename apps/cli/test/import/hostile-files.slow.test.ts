import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useTestService } from '../support/test-service.ts';

const { at, client } = useTestService();
const directory = mkdtempSync(join(tmpdir(), 'roster-hostile-'));
let files = 0;

/** Imports a text. Resolves to the result and the lines of the error file. */
async function importing(resource: string, text: string | Buffer, options: string[] = [], extension = 'csv') {
  files += 1;
  const file = join(directory, `${files}.${extension}`);
  const errors = join(directory, `${files}.errors.csv`);
  writeFileSync(file, text);
  writeFileSync(errors, '');
  const argv = [resource, 'import', file, '--errors', errors, ...options];
  const outcome = await at('pipe', argv);
  return { ...outcome, errors: readFileSync(errors, 'utf8').split('\n').slice(1, -1) };
}

async function names(resource: 'offices' | 'agents', sourceName: string): Promise<string[]> {
  const found: string[] = [];
  for await (const item of client()[resource].all({ sourceName: [sourceName], sort: 'createdAt' }))
    found.push('name' in item ? item.name : item.displayName);
  return found;
}

const head = 'source.name,source.key,name,bio\n';

describe('a hostile file', () => {
  it('has every error of every row in the error file, with row, line and column, and writes nothing', async () => {
    const text = [
      'source.name,source.key,OfficeName,email,licenses,address_country,mainOfficeSourceKey',
      'Bad,1,Good,,,,',
      'Bad,2,"over\ntwo lines",not-an-email,,,',
      'Bad,3,,,nonsense,,',
      'Bad,1,Twice,,,,',
      'Bad,4,Too many,,,,,one more',
      'Bad,5,Too few',
      'Bad,6,Elsewhere,,,Atlantis,',
      'Bad,7,Over,,,,8',
      'Bad,8,Under,,,,7',
      'Bad,9,Itself,,,,9',
      'Bad,10,Lost,,,,nowhere',
      'Bad,11,=cmd(),x\0y,,,',
      '',
    ].join('\n');
    const { exit, stdout, stderr, errors } = await importing('offices', text);
    expect([exit, stdout]).toEqual([1, '']);
    expect(errors).toEqual([
      '3,3,email,invalid_format,must be an email address such as ana@example.com',
      '4,5,licenses,invalid_format,is not JSON',
      '4,5,OfficeName,required,is required',
      '5,6,source.key,repeated,is also that of row 2',
      '6,7,,cell_count,"has 8 cells, but the header has 7"',
      '8,9,address_country,invalid_choice,is not the code or the name of a country',
      '9,10,mainOfficeSourceKey,cycle,"is this office, or an office below it"',
      '10,11,mainOfficeSourceKey,cycle,"is this office, or an office below it"',
      '11,12,mainOfficeSourceKey,cycle,"is this office, or an office below it"',
      '12,13,mainOfficeSourceKey,not_found,is not an existing office',
      '13,14,email,invalid_character,must be well-formed Unicode without NUL',
    ]);
    expect(stderr).toContain('10 of 12 rows have errors, and nothing was written');
    expect(stderr).toContain('row 3: email must be an email address');
    expect(await names('offices', 'Bad')).toEqual([]);
  });

  it('that is not UTF-8 is read as windows-1252 or UTF-16, and rejected with byte and line if it was to be UTF-8', async () => {
    const text = Buffer.from(`${head}Latin,1,Good,\nLatin,2,S\u00e3o Jo\u00e3o \u0080,\n`, 'latin1');
    const { exit, stderr } = await importing('offices', text, ['--encoding', 'utf-8']);
    expect(exit).not.toBe(0);
    expect(stderr).toContain(`is not utf-8 at byte ${text.indexOf(0xe3)} (line 3)`);
    expect((await importing('offices', text)).exit).toBe(0);
    expect(await names('offices', 'Latin')).toEqual(['Good', 'São João €']);
    const wide = Buffer.from(`\uFEFF${head}Wide,1,東京,\n`, 'utf16le');
    expect((await importing('offices', wide)).exit).toBe(0);
    expect(await names('offices', 'Wide')).toEqual(['東京']);
    const { exit: unknown, stderr: why } = await importing('offices', text, ['--encoding', 'klingon']);
    expect([unknown, why]).toEqual([expect.any(Number), expect.stringContaining('is not a known encoding')]);
    expect(unknown).not.toBe(0);
  });

  it('with a cell of 1 MB has its row rejected, and so has a longer row, and the others are validated', async () => {
    const text = `${head}Big,1,Good,\nBig,2,Huge,${'x'.repeat(1_000_000)}\nBig,3,,\n`;
    const { exit, errors } = await importing('offices', text);
    expect(exit).toBe(1);
    expect(errors).toEqual([
      expect.stringMatching(/^3,3,bio,too_long,/),
      expect.stringMatching(/^4,4,name,/),
    ]);
    const longer = await importing('offices', `${head}Big,4,Huge,${'x'.repeat(2_000_000)}\nBig,5,A,\n`);
    expect(longer.errors).toEqual([expect.stringContaining('2,2,,unreadable,the row is longer than')]);
    // On a machine that others share, with coverage.
  });

  it('with unknown or duplicate columns is rejected with their names', async () => {
    const unknown = await importing('offices', 'source.name,source.key,name,colour,createdAt\nU,1,A,red,x\n');
    expect(unknown.exit).toBe(2);
    expect(unknown.stderr).toContain('"colour" is not a known column, "createdAt" is set by the service');
    const file = 'source.name,source.key,name,colour\nU,1,A,red\n';
    expect((await importing('offices', file, ['--ignore-unknown'])).exit).toBe(0);
    expect((await importing('offices', file, ['--ignore', 'Colour'])).exit).toBe(0);
    const lost = await importing('offices', 'source.name,source.key,name,metadata.__proto__\nU,1,A,red\n');
    expect([lost.exit, lost.stderr]).toEqual([
      2,
      expect.stringContaining('"metadata.__proto__" is not a known column'),
    ]);
    const twice = await importing('offices', 'source.name,source.key,name,OFFICENAME\nU,1,A,B\n');
    expect([twice.exit, twice.stderr]).toEqual([
      2,
      expect.stringContaining('the columns "name" and "OFFICENAME" set the same field (name)'),
    ]);
  });

  it('that is empty or missing is rejected', async () => {
    expect((await importing('offices', '')).stderr).toContain('is empty');
    const { exit, stderr } = await at('pipe', ['offices', 'import', join(directory, 'nothing.csv')]);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('(ENOENT)')]);
  });

  it('of NDJSON with invalid lines, unknown names and NUL has every error in the error file', async () => {
    const lines = [
      '{"source":{"name":"N","key":"1"},"name":"Good","metadata":{"a":"1"}}',
      'nonsense',
      '[1]',
      '',
      '{"source":{"name":"N","key":"2"},"name":"X","colour":"red"}',
      '{"source":{"name":"N","key":"3"},"name":"a\\u0000b"}',
      '{"source":{"name":"N","key":"4"},"name":7}',
      '{"name":"Keyless"}',
    ];
    const { exit, errors } = await importing('offices', lines.join('\n'), [], 'ndjson');
    expect(exit).toBe(1);
    expect(errors).toEqual([
      '2,2,,unreadable,is not a JSON object',
      '3,3,,unreadable,is not a JSON object',
      '5,5,colour,unknown_field,is not a known column',
      '6,6,name,invalid_character,must be well-formed Unicode without NUL',
      '7,7,name,invalid_type,must be a text',
    ]);
  });
});
