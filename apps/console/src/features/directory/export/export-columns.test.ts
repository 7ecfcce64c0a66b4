import { describe, expect, it } from 'vitest';
import { columnsOf } from '../../../resources/index.ts';
import type { DirectoryRecord } from '../../../resources/record.ts';
import { csvHeader, csvRow, jsonRow, shownColumns, textRow, wholeColumns } from './export-columns.ts';

const agent = {
  id: '01980a3d-1b2c-7d4e-8f5a-6b7c8d9e0f1a',
  displayName: '=HYPERLINK("http://evil.example")',
  email: 'ana@atlantico.example',
  phone: '+351 210 000 042',
  bio: 'Homes, "flats"\nand land',
  languages: ['pt-PT', 'en'],
  metadata: { costCentre: '4711' },
  licenses: [{ number: 'A1', region: '11', type: null, expiresOn: '2027-12-31' }],
  officeId: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11',
  office: { name: 'Atlântico' },
} as unknown as DirectoryRecord;

const header = (columns: { header: string }[]) => columns.map((column) => column.header);

describe('an export of what is shown, for programs,', () => {
  it('has the columns in their order, the office by its name, and null for what is empty', () => {
    const columns = shownColumns('agents', ['displayName', 'officeId', 'languages', 'title']);
    expect(Object.entries(JSON.parse(jsonRow(columns, agent)))).toEqual([
      ['displayName', agent.displayName],
      ['officeName', 'Atlântico'],
      ['languages', ['pt-PT', 'en']],
      ['title', null],
    ]);
  });
});

describe('an export of all fields', () => {
  const all = wholeColumns('agents');
  const named = (...names: string[]) => all.filter(({ header }) => names.includes(header));

  it('begins with the mark of UTF-8, and has no cell that a spreadsheet executes', () => {
    expect(csvHeader(named('firstName', 'email'))).toBe('\uFEFFfirstName,email\r\n');
    for (const start of ['=', '+', '-', '@']) {
      const record = { ...agent, firstName: `${start}1+1` };
      expect(csvRow(named('firstName'), record)).toBe(`'${start}1+1\r\n`);
    }
    expect(csvRow(named('phone'), agent)).toBe("'+351 210 000 042\r\n");
  });

  it('quotes delimiters, quotes and line breaks, and writes lists and objects so that an import reads them', () => {
    expect(csvRow(named('bio'), agent)).toBe('"Homes, ""flats""\nand land"\r\n');
    expect(csvRow(named('languages', 'metadata'), agent)).toMatch(/"pt-PT,en"/);
    expect(csvRow(named('languages', 'metadata'), agent)).toMatch(/"{""costCentre"":""4711""}"/);
  });

  it('has the same texts in a workbook, where none is a formula', () => {
    expect(textRow(named('phone', 'bio'), agent).toSorted()).toEqual(['+351 210 000 042', agent.bio]);
  });

  it('has the columns of `roster agents export`, with the office by its id', () => {
    const names = header(wholeColumns('agents'));
    expect(names).toEqual(expect.arrayContaining(['id', 'status', 'officeId', 'address.city', 'licenses']));
    expect(names).not.toContain('address');
    expect(names.filter((name) => /officeName|Source\./.test(name))).toEqual([]);
    expect(header(wholeColumns('offices'))).toContain('mainOfficeId');
  });
});

describe('the columns of a list', () => {
  it.each(['agents', 'offices'] as const)('show every field of %s that can be written', (resource) => {
    const shown = new Set(columnsOf(resource));
    const missing = header(wholeColumns(resource)).filter((name) => !shown.has(name));
    expect(missing).toEqual([]);
  });
});
