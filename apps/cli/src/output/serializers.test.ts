import { expect, it } from 'vitest';
import { tsvHeader, tsvRecord, tsvRows } from './serializers.ts';

const columns = [
  { place: 'id', title: 'ID' },
  { place: 'address.city', title: 'CITY' },
];

it('names the columns by their places in the record', () => {
  expect(tsvHeader(columns)).toBe('id\taddress.city\n');
});

it('writes whole values, and nothing for null and what is not there', () => {
  const city = 'x'.repeat(500);
  const rows = [
    { id: '1', address: { city } },
    { id: '2', address: { city: null } },
    { id: '3', address: null },
  ];
  expect(tsvRows(columns, rows)).toBe(`1\t${city}\n2\t\n3\t\n`);
});

it('keeps a record on its line: tabs, line breaks and backslashes are escaped', () => {
  expect(tsvRecord({ bio: 'a\tb\r\nc\\d' })).toBe('field\tvalue\nbio\ta\\tb\\r\\nc\\\\d\n');
});
