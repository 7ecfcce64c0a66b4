import { expect, it } from 'vitest';
import { picked, tsvHeader, tsvRecord, tsvRows } from './serializers.ts';

const columns = [
  { field: 'id', title: 'ID' },
  { field: 'address.city', title: 'CITY' },
];

it('names TSV columns by the paths of the fields', () => {
  expect(tsvHeader(columns)).toBe('id\taddress.city\n');
});

it('writes TSV values in full, and an empty text for null and missing values', () => {
  const city = 'x'.repeat(500);
  const rows = [
    { id: '1', address: { city } },
    { id: '2', address: { city: null } },
    { id: '3', address: null },
  ];
  expect(tsvRows(columns, rows)).toBe(`1\t${city}\n2\t\n3\t\n`);
});

it('escapes tabs, line breaks and backslashes in TSV, so that a record stays on one line', () => {
  expect(tsvRecord({ bio: 'a\tb\r\nc\\d' })).toBe('field\tvalue\nbio\ta\\tb\\r\\nc\\\\d\n');
});

it('writes an item of a list in TSV by its fields, and what these contain as JSON', () => {
  const samples = [{ name: 'Ana', officeId: null, changes: [{ field: 'phone', after: '1' }] }];
  expect(tsvRecord({ samples })).toBe(
    'field\tvalue\nsamples\tname=Ana,changes=[{"field":"phone","after":"1"}]\n',
  );
});

it('picks fields and parts of them, of lists too, in the shape that the record has', () => {
  const row = {
    id: '1',
    address: { city: 'Lisboa', line1: 'Rua A', region: null },
    licenses: [
      { number: 'A1', region: '11' },
      { number: 'B2', region: null },
    ],
    source: null,
    metadata: { unit: '7' },
  };
  expect(picked(row, ['address.city', 'id', 'address.region', 'licenses.number', 'source.key'])).toEqual({
    address: { city: 'Lisboa', region: null },
    id: '1',
    licenses: [{ number: 'A1' }, { number: 'B2' }],
    source: null,
  });
  expect(picked(row, ['metadata.unit', 'metadata.other'])).toEqual({ metadata: { unit: '7', other: null } });
  expect(picked(row, ['metadata', 'metadata.unit'])).toEqual({ metadata: { unit: '7' } });
});
