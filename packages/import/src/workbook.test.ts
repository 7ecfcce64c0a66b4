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
    const packed = new Blob(['PK\u0003\u0004 something else']);
    expect([await isPacked(packed), await isPacked(new Blob(['Name']))]).toEqual([true, false]);
    await expect(readWorkbook(packed)).rejects.toThrow(/is not a workbook that can be read: .* Save As/);
    const large = new Blob([new Uint8Array(WORKBOOK_MAX_BYTES + 1)]);
    await expect(readWorkbook(large)).rejects.toThrow('the workbook is larger than 16 MB: save its sheet');
  });
});
