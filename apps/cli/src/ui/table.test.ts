import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import type { Column } from '../contract/columns.ts';
import { fitted, listing, table, widthsThatFit } from './table.ts';

const columns: Column[] = [
  { field: 'id', title: 'ID' },
  { field: 'name', title: 'NAME', widthMin: 6 },
  { field: 'address.city', title: 'CITY', widthMin: 4 },
];
const rows = [
  { id: '1', name: 'Atlântico Imóveis', address: { city: 'Lisboa' } },
  { id: '2', name: '東京オフィス', address: { city: '東京' } },
  { id: '3', name: 'Γραφείο 👩‍👩‍👧 Αθήνα', address: { city: 'Αθήνα' } },
  { id: '4', name: 'Офис', address: null },
];

describe('a table', () => {
  it('aligns Latin, Greek, CJK and emoji by their width in cells', () => {
    const lines = table({ columns, rows, width: 80, color: false }).text.text.split('\n');
    expect(lines[2]).toBe('2   東京オフィス       東京');
    expect(lines[4]).toBe('4   Офис');
    const starts = ['CITY', 'Lisboa', '東京', 'Αθήνα'].map((city, index) => {
      const line = lines[index] ?? '';
      return stringWidth(line.slice(0, line.lastIndexOf(city)));
    });
    expect(starts).toEqual([23, 23, 23, 23]);
  });

  it('shows matches of a search in bold, in the part of a cell that is there, also in a dimmed line', () => {
    const highlights = [
      [
        { field: 'name', start: 0, end: 9 },
        { field: 'name', start: 10, end: 17 },
        { field: 'address.city', start: 2, end: 4 },
        { field: 'email', start: 0, end: 3 },
      ],
      [{ field: 'name', start: 0, end: 2 }],
    ];
    const inactive = { ...rows[1], status: 'inactive' };
    const shown = (width: number) =>
      table({ columns, rows: [rows[0] ?? {}, inactive], width, color: true, highlights })
        .text.text.replaceAll('\u001b[1m', '<b>')
        .replaceAll('\u001b[2m', '<dim>')
        .replaceAll('\u001b[22m\u001b[1m', '</>')
        .replaceAll('\u001b[22m', '</>')
        .split('\n')
        .slice(1, 3);
    const [first, second] = shown(80);
    expect(first).toBe('1   <b>Atlântico</> <b>Imóveis</>  Li<b>sb</>oa');
    expect(second).toBe('<dim>2   </><b>東京</><dim>オフィス       東京</>');
    expect(shown(20)[0]).toContain('<b>Atlânti</>…');
  });

  it.each([80, 40, 30, 20, 16, 10])('fits a terminal of %i cells', (width) => {
    for (const line of table({ columns, rows, width, color: false }).text.text.split('\n')) {
      expect(stringWidth(line)).toBeLessThanOrEqual(width);
    }
  });

  it.each([
    ['phone', '+351210000142'],
    ['email', 'ana.figueiredo@atlantico.example'],
    ['id', '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11'],
    ['licence', '2027-12-31'],
  ])('never cuts a value that is worth nothing in part, such as a %s, at any width', (field, value) => {
    const wide = [{ name: 'Atlântico Imóveis do Porto', [field]: value, city: 'Vila Nova de Gaia' }];
    const three = ['name', field, 'city'].map((one) => ({ field: one, title: one, widthMin: 8 }));
    for (let width = 8; width <= 100; width += 1) {
      const { text, omitted } = table({ columns: three, rows: wide, width, color: false });
      expect(text.text.includes(value)).toBe(!omitted.includes(field));
      expect(text.text.split('\n')[1]).not.toContain(value.slice(0, 5).concat('…'));
    }
    expect(table({ columns: three, rows: wide, width: 100, color: false }).omitted).toEqual([]);
  });

  it('ends truncated text with an ellipsis, and never splits a character', () => {
    expect(fitted('Atlântico Imóveis', 10)).toBe('Atlântico…');
    expect(fitted('東京オフィス', 6)).toBe('東京… ');
    expect(fitted('👩‍👩‍👧👩‍👩‍👧', 3)).toBe('👩‍👩‍👧…');
    expect(fitted('Офис', 6)).toBe('Офис  ');
  });

  it('escapes characters that move the cursor, change colours or the direction of writing', () => {
    const text = table({
      columns,
      rows: [{ id: '1', name: 'a\u001b[2Jb\nc\u202Ed\u0000' }],
      width: 80,
      color: false,
    }).text.text;
    expect(text.split('\n')[1]).toBe(String.raw`1   a\u001b[2Jb\nc\u202ed\u0000`);
  });

  it('is coloured only if colour is enabled', () => {
    const inactive = [{ id: '1', name: 'x', status: 'inactive' }];
    expect(table({ columns, rows: inactive, width: 80, color: false }).text.text).not.toContain('\u001b');
    expect(table({ columns, rows: inactive, width: 80, color: true }).text.text).toContain('\u001b[2m1');
  });
});

describe('the widths of columns', () => {
  it('are the natural widths if all columns fit', () => {
    expect(
      widthsThatFit(
        [
          { natural: 5, least: 5 },
          { natural: 9, least: 3 },
        ],
        16,
      ),
    ).toEqual([5, 9]);
  });

  it('are reduced starting with the widest column', () => {
    expect(
      widthsThatFit(
        [
          { natural: 5, least: 5 },
          { natural: 20, least: 3 },
          { natural: 8, least: 3 },
        ],
        29,
      ),
    ).toEqual([5, 12, 8]);
  });

  it('omit those whose minimum width does not fit beside the others, but never the first', () => {
    const three = [
      { natural: 36, least: 36 },
      { natural: 20, least: 10 },
      { natural: 8, least: 8 },
    ];
    expect(widthsThatFit(three, 50)).toEqual([36, 12, undefined]);
    expect(widthsThatFit(three, 20)).toEqual([36, undefined, undefined]);
    expect(widthsThatFit(three, 46)).toEqual([36, undefined, 8]);
  });
});

it('a record is listed in two columns, with parts of objects and lists in the format of their options', () => {
  const record = {
    id: '1',
    status: 'active',
    bio: null,
    address: { city: 'Lisboa', line2: null },
    languages: ['pt-PT', 'en'],
    licenses: [{ number: 'A1', region: null, expiresOn: '2027-12-31' }],
    metadata: {},
  };
  expect(listing(record, false).text).toBe(
    [
      'id             1',
      'status         active',
      'bio',
      'address.city   Lisboa',
      'address.line2',
      'languages      pt-PT, en',
      'licenses       number=A1,expires-on=2027-12-31',
      'metadata',
      '',
    ].join('\n'),
  );
});
