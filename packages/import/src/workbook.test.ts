import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { isPacked } from './encoding.ts';
import { readWorkbook, WORKBOOK_MAX_BYTES } from './workbook.ts';

type Sheets = Parameters<typeof writeXlsx>[0]['sheets'];

const workbook = async (...sheets: Sheets) => new Blob([new Uint8Array(await writeXlsx({ sheets }))]);

describe('a workbook', () => {
  it('is read as CSV with the values of its cells: days as ISO, numbers unrounded, texts with their zeros', async () => {
    const rows = [
      ['Text', 'Number', 'Day', 'Time', 'Yes', 'Quotes', 'Formula'],
      ['007', 123_456_789_012_345, new Date('2027-12-31T00:00:00Z'), 0.1, true, 'a "b",\nc', '=1+1'],
      [],
      ['#REF!', null, new Date('2027-12-31T12:30:00Z'), '', false, "'=x", '+351 210 000 001'],
    ];
    const { csv } = await readWorkbook(await workbook({ name: 'Staff', rows }));
    expect((await csv.text()).split('\n')).toEqual([
      '"Text","Number","Day","Time","Yes","Quotes","Formula"',
      '"007","123456789012345","2027-12-31","0.1","TRUE","a ""b"",',
      'c","=1+1"',
      expect.stringMatching(/^,*$/),
      '"#REF!",,"2027-12-31T12:30:00.000Z",,"FALSE","\'\'=x","+351 210 000 001"',
    ]);
  });

  it.each([
    ['00000', 2138, '02138'],
    ['00000\\-0000', 21_381_234, '02138-1234'],
    ['"BK"0000000', 42, 'BK0000042'],
  ])('has the text that the format %s of a code shows', async (numFmt, value, text) => {
    const cells = new Map([['1,0', { value, style: { numFmt } }]]);
    const { csv } = await readWorkbook(await workbook({ name: 'Codes', rows: [['Code'], [value]], cells }));
    expect(await csv.text()).toBe(`"Code"\n"${text}"`);
  });

  it('names a formula without a stored value, whose cell is not empty', async () => {
    const cells = new Map([['1,1', { value: null, formula: 'PROPER("rui")' }]]);
    const { csv, notes } = await readWorkbook(
      await workbook({
        name: 'F',
        rows: [
          ['Key', 'Name'],
          ['1', null],
        ],
        cells,
      }),
    );
    expect(await csv.text()).toBe('"Key","Name"\n"1","#FORMULA!"');
    expect(notes.formulas).toEqual(['B2']);
  });

  it('counts a cell that is merged over rows for each of them, and says what is hidden', async () => {
    const { csv, notes } = await readWorkbook(
      await workbook({
        name: 'Merged',
        rows: [
          ['Office', 'Name'],
          ['Baixa', 'Ana'],
          [null, 'Rui'],
          [null, 'Eva'],
          ['Porto', 'Zé'],
        ],
        merges: [{ startRow: 1, startCol: 0, endRow: 3, endCol: 0 }],
        rowDefs: new Map([[2, { hidden: true }]]),
      }),
    );
    expect((await csv.text()).split('\n').slice(1)).toEqual([
      '"Baixa","Ana"',
      '"Baixa","Rui"',
      '"Baixa","Eva"',
      '"Porto","Zé"',
    ]);
    expect(notes).toMatchObject({ hiddenRows: 1 });
  });

  it('is read at no cost for formats down to the last row and to the last column', async () => {
    const cells = new Map([
      ['1048575,0', { value: null, style: { numFmt: '0.00' } }],
      ['0,16383', { value: null, style: { numFmt: '0.00' } }],
    ]);
    const { csv } = await readWorkbook(await workbook({ name: 'Wide', rows: [['Name'], ['Ana']], cells }));
    expect(await csv.text()).toBe('"Name"\n"Ana"');
  });

  it.each([
    [
      'a password',
      `\xd0\xcf\x11\xe0${Array.from('EncryptedPackage', (letter) => `${letter}\0`).join('')}`,
      'has a password',
    ],
    ['the old format', '\xd0\xcf\x11\xe0 Workbook', 'old workbook (.xls)'],
    [
      'the format of LibreOffice',
      'PK\x03\x04mimetypeapplication/vnd.oasis.opendocument.spreadsheetPK\x05\x06',
      '.ods',
    ],
    ['a binary format', 'PK\x03\x04xl/workbook.binPK\x05\x06', '.xlsb'],
    ['an end that is missing', 'PK\x03\x04xl/workbook.xml', 'is cut off'],
  ])('with %s is refused by that name', async (_, latin, name) => {
    const file = new Blob([new Uint8Array(Buffer.from(latin, 'latin1'))]);
    expect(await isPacked(file)).toBe(true);
    await expect(readWorkbook(file)).rejects.toThrow(name);
  });

  it('has the zeros that the format of a number shows, as that of ZIP codes does', async () => {
    const cells = new Map([['1,0', { value: 2138, style: { numFmt: '00000' } }]]);
    const { csv } = await readWorkbook(await workbook({ name: 'Codes', rows: [['ZIP'], [2138]], cells }));
    expect(await csv.text()).toBe('"ZIP"\n"02138"');
  });

  it('is read from its first sheet with anything in it that is not hidden, or from the named one', async () => {
    const file = await workbook(
      { name: 'Hidden', rows: [['h']], hidden: true },
      { name: 'Cover', rows: [] },
      { name: 'Staff', rows: [['s']] },
      { name: 'Old', rows: [['o']] },
    );
    const sheets = ['Cover', 'Staff', 'Old'];
    expect(await readWorkbook(file)).toMatchObject({ name: 'Staff', sheets });
    const old = await readWorkbook(file, 'Old');
    expect([old.name, await old.csv.text()]).toEqual(['Old', '"o"']);
    await expect(readWorkbook(file, 'Hidden')).rejects.toThrow('it has Cover, Staff, Old');
    await expect(readWorkbook(file, 'Cover')).rejects.toThrow('the sheet "Cover" is empty');
  });

  it('that cannot be read says how to save its sheet as CSV', async () => {
    const packed = new Blob(['PK\u0003\u0004 something else PK\u0005\u0006']);
    expect([await isPacked(packed), await isPacked(new Blob(['Name']))]).toEqual([true, false]);
    await expect(readWorkbook(packed)).rejects.toThrow(/is not a workbook that can be read: .* Save As/);
    const large = new Blob([new Uint8Array(WORKBOOK_MAX_BYTES + 1)]);
    await expect(readWorkbook(large)).rejects.toThrow('the workbook is larger than 16 MB: save its sheet');
  });
});
