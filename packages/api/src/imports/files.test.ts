import { createImportable, unescapeFormula } from '@roster/import';
import { type FileRow, type FileSettings, readFileRows, readHeader } from '@roster/import/files';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordContracts } from './contract.ts';

const agents = createImportable('agents', recordContracts());

/** Reads a CSV file of agents as an import does that says nothing of it. */
const read = (text: string, said: Partial<FileSettings> = {}) => readPieces(text, undefined, said);

/** The same in pieces of some bytes. */
async function readPieces(text: string, size?: number, said: Partial<FileSettings> = {}) {
  const bytes = Buffer.from(text);
  const settings: FileSettings = {
    format: 'csv',
    ...readHeader(bytes, undefined),
    columns: {},
    values: {},
    dates: {},
    columnEmptyCells: {},
    emptyCells: 'keep',
    isUnknownIgnored: false,
    ...said,
  };
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += size ?? bytes.length)
      yield bytes.subarray(at, at + (size ?? bytes.length));
  };
  const options = { settings, from: { row: 1, line: 1 }, isStorable: () => true };
  const rows: FileRow[] = [];
  for await (const row of readFileRows(pieces(), agents, options)) rows.push(row);
  return { settings, rows };
}

const ana = { firstName: 'Ana', lastName: 'Silva' };
const rui = { firstName: 'Rui', lastName: 'Costa' };

/** The records and the faults of a file, by the lines in which they begin. */
async function outcomes(text: string) {
  const { rows } = await read(text);
  return rows.map(({ line, record, faults }) => [line, faults.length === 0 ? record : faults[0]?.detail]);
}

describe('the rows of a CSV file', () => {
  it.each([
    ['with a line that names the delimiter', 'sep=;\nFirst Name;Last Name\nAna;Silva\n', 3],
    ['with blank lines', '\n\nFirst Name,Last Name\n\nAna,Silva\n\n', 5],
    ['with a title above the header', 'Our people,\n\nFirst Name,Last Name\nAna,Silva\n', 4],
    ['with two titles above the header', 'Baixa\n2026\nFirst Name,Last Name\nAna,Silva\n', 4],
    ['with line ends of CR alone', 'First Name,Last Name\rAna,Silva\r', 2],
    ['with line ends of CRLF', 'First Name,Last Name\r\nAna,Silva\r\n', 2],
    ['with blank cells at the end of the header', 'First Name,Last Name,,\nAna,Silva\n', 2],
    ['with blank cells at the end of rows', 'First Name,Last Name\nAna,Silva,,\n', 2],
    ['with text as a formula', 'First Name,Last Name\n="Ana",="Silva"\n', 2],
    ['with text as a formula in quotes', 'First Name,Last Name\n"=""Ana""","=""Silva"""\n', 2],
    ['between tabs, with commas inside', 'First Name\tLast Name\nAna\tSilva\n', 2],
  ])('%s are read', async (_, text, line) => {
    expect(await outcomes(text)).toEqual([[line, ana]]);
  });

  it('are divided by the delimiter outside quotes, however often another occurs in them', async () => {
    const text = '"Street, number, floor";First Name;Last Name\n"Rua A, 3, 2";Ana;Silva\n"B, 1";Rui;Costa\n';
    const { settings } = await read(text, { columns: { 'Street, number, floor': 'address.line1' } });
    expect(settings).toMatchObject({ delimiter: ';', headerRow: 1 });
  });

  it('have the missing cells of a short row as empty, and an error if a row has more cells than the header', async () => {
    const text = 'First Name,Last Name,Phone\nAna,Silva\nRui,Costa,1,2\n';
    expect(await outcomes(text)).toEqual([
      [2, ana],
      [3, 'has 4 cells, but the header has 3'],
    ]);
  });

  it.each([
    ['John "Jack",Smith', 'a quote occurs in a cell that does not start with one'],
    ['"John" Jack,Smith', 'text follows a closing quote; a quote inside quotes must be doubled'],
    ['"John, Smith\nX,"Y"', 'text follows a closing quote; a quote inside quotes must be doubled'],
  ])(
    'are read on after a quote in the wrong place, whose own line is an error: %j',
    async (wrong, detail) => {
      const lines = wrong.split('\n').length;
      const found = await outcomes(`First Name,Last Name\nAna,Silva\n${wrong}\nRui,Costa\n`);
      expect([...found.slice(0, 2), found.at(-1)]).toEqual([
        [2, ana],
        [3, detail],
        [3 + lines, rui],
      ]);
      expect(found.length).toBe(2 + lines);
    },
  );

  it('keep doubled quotes and line breaks inside quotes', async () => {
    const { rows } = await read('First Name,Last Name\n"Ana ""Nani""","Sil\nva"\nRui,Costa\n');
    expect(rows.map(({ line, record }) => [line, record])).toEqual([
      [2, { firstName: 'Ana "Nani"', lastName: 'Sil\nva' }],
      [4, rui],
    ]);
  });

  it.each([
    ['Ana,Silva\n"Rui,Costa\nAna,Silva\n', [2, 3, 4]],
    ['Ana,Silva\nZé,"Um\nAna,Silva\nRui,Costa\n', [2, 3, 4, 5]],
    ['"Rui,Costa\nAna,"Silva\nRui,Costa\n', [2, 3, 4]],
    ['\n"Rui,Costa\n\nAna,Silva', [3, 5]],
    ['Rui,Costa\nAna,"Silva', [2, 3]],
  ])('go on at the next line after a quote that is never closed: %j', async (text, lines) => {
    const found = await outcomes(`First Name,Last Name\n${text}`);
    expect(found.map(([line]) => line)).toEqual(lines);
    const broken = found.filter(([, outcome]) => typeof outcome === 'string');
    expect(broken.map(([, detail]) => detail)).toEqual(
      broken.map(() => expect.stringMatching(/a quote|closing quote/)),
    );
    expect(broken.length).toBe(
      text.split('\n').filter((line) => (line.split('"').length - 1) % 2 === 1).length,
    );
  });

  it('are all read after a quote that is never closed, however far it reaches, and at any place in the text', async () => {
    const rows = Array.from({ length: 60_000 }, (_, index) => `Ana ${index},Silva`);
    const withQuote = rows.with(20_000, '"Ana,Silva').join('\n');
    const { rows: read } = await readPieces(`First Name,Last Name\n${withQuote}\n`, 10_000);
    expect(read.length).toBe(rows.length);
    expect(read.filter(({ faults }) => faults.length > 0).map(({ row }) => row)).toEqual([20_002]);
    expect(read.at(-1)).toMatchObject({ row: 60_001, bytes: 21 + withQuote.length + 1 });
  });

  it('have the texts that were written in quotes, whatever these are', async () => {
    const text = fc.string({ unit: fc.constantFrom(...'=",;\t|\r\na '), minLength: 1, maxLength: 8 });
    const cell = text.filter((one) => one.trim() !== '' && !/^="[^"]*"$/.test(one));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 4 }), async (names) => {
        const lines = names.map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(','));
        const { rows } = await read(`First Name,Last Name\n${lines.join('\n')}\n`);
        const given = rows.map(({ record, faults }) => [record.firstName, record.lastName, faults.length]);
        expect(given).toEqual(names.map((row) => [...row.map(unescapeFormula), 0]));
      }),
      { numRuns: 500 },
    );
  });

  it('are not read without a header: a first line that has the values of a record is an error', async () => {
    await expect(read('Ana,Silva,ana@example.com\n')).rejects.toThrow('the first line is a record');
  });

  it('have whole names split, days that read one way, and countries by their names', async () => {
    const { rows } = await read(
      'Name,License Number,Expiration Date,Country\n"DOE, JANE M",L1,31-Dec-2031,United States\nAna da Silva,L2,20320131,portugal\n',
    );
    expect(rows.map(({ record }) => record)).toEqual([
      {
        firstName: 'JANE',
        middleName: 'M',
        lastName: 'DOE',
        address: { country: 'US' },
        licenses: { 0: { number: 'L1', expiresOn: '2031-12-31' } },
      },
      {
        firstName: 'Ana',
        middleName: null,
        lastName: 'da Silva',
        address: { country: 'PT' },
        licenses: { 0: { number: 'L2', expiresOn: '2032-01-31' } },
      },
    ]);
  });
});
