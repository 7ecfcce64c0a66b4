import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { importColumns } from './importables.ts';
import { fileColumns, guessMapping, guessResource, mappingProblems } from './mapping.ts';

const headerOf = (sample: string) =>
  readFileSync(new URL(`../../../../samples/${sample}.csv`, import.meta.url), 'utf8')
    .split('\n', 1)[0]
    ?.split(',') ?? [];

it('an import of the page reads the columns of the reference, which are those of the command line', () => {
  const page = readFileSync(new URL('../../../../docs/reference/import-columns.md', import.meta.url), 'utf8');
  const [, offices = '', agents = ''] = page.split(/^## .*$/m);
  const listed = (part: string) => Array.from(part.matchAll(/^\| `([^`]+)` \|/gm), ([, field]) => field);
  expect(importColumns('offices').map(({ field }) => field)).toEqual(listed(offices));
  expect(importColumns('agents').map(({ field }) => field)).toEqual(listed(agents));
});

describe('the columns of a file', () => {
  it.each(['offices', 'agents'] as const)(
    'of the sample of %s are all known, and say what it holds',
    (sample) => {
      const headers = headerOf(sample);
      const mapping = guessMapping(sample, headers);
      expect(Object.entries(mapping.fields).filter(([, field]) => field === '')).toEqual([]);
      expect(guessResource(headers, 'data.csv')).toBe(sample);
      expect(mappingProblems(sample, headers, mapping)).toEqual([]);
    },
  );

  it('are found by names of the Data Dictionary and of spreadsheets, and unknown ones are left out', () => {
    const headers = ['MemberFirstName', 'Surname', 'E-Mail', 'Shoe size', 'import error'];
    expect(guessMapping('agents', headers).fields).toEqual({
      MemberFirstName: 'firstName',
      Surname: 'lastName',
      'E-Mail': 'email',
      'Shoe size': '',
      'import error': '',
    });
  });

  it('have a field once: of two columns with one meaning the first has it', () => {
    const mapping = guessMapping('agents', ['First name', 'Forename']);
    expect(mapping.fields).toEqual({ 'First name': 'firstName', Forename: '' });
    const both = { ...mapping, fields: { 'First name': 'firstName', Forename: 'firstName' } };
    expect(mappingProblems('agents', ['First name', 'Forename'], both)).toEqual([
      { kind: 'repeated', first: 'First name', second: 'Forename' },
    ]);
  });

  it('read a column Address as the street if other parts of the address have columns', () => {
    expect(guessMapping('agents', ['Address', 'City']).fields).toEqual({
      Address: 'address.line1',
      City: 'address.city',
    });
  });

  it('need a key if the rows have a source', () => {
    const headers = ['First name', 'Number'];
    const mapping = { ...guessMapping('agents', headers), sourceName: 'MLS' };
    expect(mappingProblems('agents', headers, mapping)).toEqual([{ kind: 'key-needed' }]);
    expect(mappingProblems('agents', headers, { ...mapping, keyColumn: 'Number' })).toEqual([]);
    expect(mappingProblems('agents', headers, { ...mapping, fields: {} })).toEqual([{ kind: 'nothing' }]);
  });

  it('may be pairs of the metadata', () => {
    const mapping = guessMapping('agents', ['metadata.costCentre']);
    expect(fileColumns('agents', ['metadata.costCentre'], mapping)[0]?.column?.path).toEqual([
      'metadata',
      'costCentre',
    ]);
  });
});
