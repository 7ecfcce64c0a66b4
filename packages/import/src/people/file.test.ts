import { inflateRawSync } from 'node:zlib';
import { readXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { type PeopleCell, peopleCell } from './columns.ts';
import { type PeopleRow, peopleLine, regionOf, workbookOf } from './file.ts';

const dangerous = [
  ...['=1+1', '+351 210 000 042', '-1', '@x', '=HYPERLINK("http://evil.example")', "'=x", '\t=1', '＝1'],
  ...['=cmd|’/c calc’!A0', '<f>1+1</f>', '0042', '1e5', 'a\r\n=1'],
];
const text = (value: string): PeopleCell => ({ kind: 'text', value });
const options = { region: regionOf('pt-PT'), isUtc: true };

async function workbook(rows: AsyncIterable<PeopleRow> | PeopleRow[], kinds: PeopleCell['kind'][]) {
  async function* given() {
    yield* rows;
  }
  const columns = kinds.map((kind, at) => ({ title: `=Title ${at}`, kind }));
  const pieces: Uint8Array[] = [];
  for await (const piece of workbookOf(given(), { ...options, title: 'Agents', columns })) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** The parts of a workbook as they are packed, by the directory at its end. */
function partsOf(packed: Buffer): Map<string, string> {
  const parts = new Map<string, string>();
  const end = packed.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  let at = packed.readUInt32LE(end + 16);
  while (packed.readUInt32LE(at) === 0x02014b50) {
    const [size, name, extra, note] = [20, 28, 30, 32].map((offset) =>
      offset === 20 ? packed.readUInt32LE(at + offset) : packed.readUInt16LE(at + offset),
    ) as [number, number, number, number];
    const local = packed.readUInt32LE(at + 42);
    const from = local + 30 + packed.readUInt16LE(local + 26) + packed.readUInt16LE(local + 28);
    const path = packed.toString('utf8', at + 46, at + 46 + name);
    parts.set(path, inflateRawSync(packed.subarray(from, from + size)).toString());
    at += 46 + name + extra + note;
  }
  return parts;
}

describe('a workbook for people', () => {
  it('has texts as texts whatever they begin with, and no formula', async () => {
    const packed = await workbook(
      [dangerous.map(text)],
      dangerous.map(() => 'text' as const),
    );
    const { sheets } = await readXlsx(packed, { readStyles: true });
    expect(sheets.map(({ name, rows }) => [name, rows[1]])).toEqual([['Agents', dangerous]]);
    expect([...(sheets[0]?.cells?.values() ?? [])].filter(({ formula }) => formula !== undefined)).toEqual(
      [],
    );
    // The packed XML, independent of any reader.
    const sheet = partsOf(packed).get('xl/worksheets/sheet1.xml') ?? '';
    const cells = [...sheet.matchAll(/<c [^>]*>/g)].map(([cell]) => cell);
    expect(cells).toHaveLength(2 * dangerous.length);
    for (const cell of cells) expect(cell).toContain('t="inlineStr"');
    expect(sheet).not.toMatch(/<f[\s>]/);
    expect([...partsOf(packed).keys()].filter((path) => /external|connection|vba/i.test(path))).toEqual([]);
  });

  it('has days, times and counts as numbers in the format of the region, and text for a day it cannot have', async () => {
    const row: PeopleRow = [
      { kind: 'day', value: '2027-12-31' },
      { kind: 'time', value: '2027-12-31T14:05:00.000Z' },
      { kind: 'number', value: 42 },
      { kind: 'day', value: '1850-01-01' },
      undefined,
    ];
    const packed = await workbook([row], ['day', 'time', 'number', 'day', 'text']);
    const { sheets } = await readXlsx(packed, { readStyles: true });
    const [, values = []] = sheets[0]?.rows ?? [];
    expect(values.slice(0, 4)).toEqual([
      new Date('2027-12-31'),
      new Date('2027-12-31T14:05:00Z'),
      42,
      '1850-01-01',
    ]);
    const formats = ['1,0', '1,1'].map((place) => sheets[0]?.cells?.get(place)?.style?.numFmt);
    expect(formats).toEqual(['dd/mm/yyyy', 'dd/mm/yyyy hh:mm']);
  });

  it('is written as its rows are read, and reports why they cannot be', async () => {
    let read = 0;
    async function* rows() {
      for (; read < 20_000; read += 1) yield [text(`Ana ${read} ${Math.sin(read)}`)];
    }
    const columns = [{ title: 'Name', kind: 'text' as const }];
    const pieces = workbookOf(rows(), { ...options, title: 'Agents', columns });
    await pieces.next();
    expect(read).toBeLessThan(10_000);
    await pieces.return(undefined);
    async function* failing(): AsyncGenerator<PeopleRow> {
      yield [text('Ana')];
      throw new Error('the service has gone');
    }
    await expect(workbook(failing(), ['text'])).rejects.toThrow('the service has gone');
  });
});

describe('a CSV file for people', () => {
  it('has the separator and the days of the region', () => {
    const row: PeopleRow = [
      text('Reis; Ana'),
      { kind: 'day', value: '2027-12-31' },
      { kind: 'time', value: '2027-01-02T14:05:00Z' },
      { kind: 'number', value: -1 },
      undefined,
    ];
    const lineIn = (locale: string) => peopleLine(row, { region: regionOf(locale), isUtc: true });
    expect(lineIn('pt-PT')).toBe('"Reis; Ana";31/12/2027;02/01/2027 14:05;-1;\r\n');
    expect(lineIn('en-GB')).toBe('Reis; Ana,31/12/2027,02/01/2027 14:05,-1,\r\n');
    expect(lineIn('en-US')).toBe('Reis; Ana,12/31/2027,01/02/2027 14:05,-1,\r\n');
    expect(lineIn('de-CH')).toBe('Reis; Ana,31.12.2027,02.01.2027 14:05,-1,\r\n');
    expect(lineIn('ar-EG')).toMatch(/^[^٠-٩]*$/);
  });

  it('has no cell that a spreadsheet executes', () => {
    for (const value of dangerous) {
      const line = peopleLine([text(value)], options);
      expect(line).not.toMatch(/^"?[=+\-@＝\t]/);
    }
  });
});

it('a cell has what a list shows: the best number, the place of work, the name of the office, the licence that ends next', () => {
  const contract = {
    fields: [
      { name: 'phone', kind: 'phone' as const },
      { name: 'nextLicenseExpiresOn', kind: 'date' as const },
    ],
  };
  const wording = { phone: (stored: string) => stored.replace('+351', ''), choice: () => undefined };
  const record = {
    phone: null,
    mobilePhone: '+351910000001',
    directPhone: '+351210000001',
    address: null,
    place: { city: 'Porto' },
    officeId: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11',
    office: { name: 'Clara' },
    languages: ['pt-PT', 'en'],
    metadata: { costCentre: '4711' },
    nextLicenseExpiresOn: '2027-12-31',
    licenses: [
      { number: 'B', expiresOn: '2028-12-31' },
      { number: 'A', expiresOn: '2027-12-31' },
    ],
  };
  const names = ['phone', 'address.city', 'officeId', 'languages', 'metadata', 'licenseNumber', 'bio'];
  const cells = names.map((name) => peopleCell(record, name, contract, wording)?.value);
  expect(cells).toEqual(['910000001', 'Porto', 'Clara', 'pt-PT, en', 'costCentre: 4711', 'A', undefined]);
  expect(peopleCell(record, 'nextLicenseExpiresOn', contract, wording)?.kind).toBe('day');
});
