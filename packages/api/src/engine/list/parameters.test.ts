import { expect, it } from 'vitest';
import { definitions } from '../../directory/registry.ts';
import { filterQueryOf } from './parameters.ts';

it('a list has the filters of the fields that its records have, and no other', () => {
  const ofEveryRecord = Object.keys(filterQueryOf({}));
  expect(ofEveryRecord).toEqual(expect.arrayContaining(['q', 'status', 'ids', 'createdSince']));
  const ofFields = (fields: object) =>
    Object.keys(filterQueryOf(fields)).filter((name) => !ofEveryRecord.includes(name));
  expect(ofFields({})).toEqual([]);
  expect(ofFields({ name: 'x', email: 'x' })).toEqual(['email']);
  expect(ofFields({ address: 'x', mlsId: 'x' })).toEqual([
    'mlsId',
    'city',
    'region',
    'postalCode',
    'country',
  ]);
  for (const { fields, schemas } of definitions)
    expect(Object.keys(schemas.filters)).toEqual(expect.arrayContaining(ofFields(fields)));
});
