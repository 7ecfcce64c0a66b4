import { expect, it } from 'vitest';
import { findDamaged } from './damaged.ts';

it.each([
  [{ mlsId: '1.23457E+11' }, '1.23457E+11'],
  [{ source: { name: 'MLS', key: '1,2E+10' } }, '1,2E+10'],
  [{ licenses: { 0: { number: '4.5e+12' } } }, '4.5e+12'],
  [{ firstName: '#REF!' }, '#REF!'],
  [{ bio: ' #N/A ' }, '#N/A'],
  [{ lastName: '#NAME?' }, '#NAME?'],
  [{ address: { postalCode: '33133.0' } }, '33133.0'],
])('%j has a value that a spreadsheet has destroyed', (record, value) => {
  expect(findDamaged(record)).toBe(value);
});

it.each([
  [{ mlsId: '123457000000', bio: 'Sold #1 in 2026', address: { postalCode: '1000-001' } }],
  [{ lastName: 'N/A', title: 'E+1', phone: '+351210000042', metadata: { a: '1.0' } }],
])('%j has none', (record) => {
  expect(findDamaged(record)).toBeUndefined();
});
