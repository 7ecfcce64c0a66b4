import { expect, it } from 'vitest';
import { fieldsThatDiffer } from './merge-choices.ts';

it('asks whose value stays only where both cannot: not of lists, nor of two addresses that do not contradict each other', () => {
  const survivor = {
    phone: '+351210000001',
    title: 'Broker',
    languages: ['pt'],
    address: { city: 'Miami', postalCode: null },
    mailingAddress: { city: 'Miami' },
  };
  const duplicate = {
    phone: '+351210000002',
    title: null,
    languages: ['en'],
    address: { city: 'miami', postalCode: '33101' },
    mailingAddress: { city: 'Orlando' },
  };
  const writable = new Set(Object.keys(survivor));
  expect(fieldsThatDiffer(survivor, duplicate, writable)).toEqual(['phone', 'mailingAddress']);
});
