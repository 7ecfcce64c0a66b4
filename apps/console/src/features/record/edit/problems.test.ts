import { expect, it } from 'vitest';
import { fieldOf } from '../../../api/contract/contracts.ts';
import { formPath } from './problems.ts';

const at = (path: readonly string[], value: Parameters<typeof formPath>[1]) => {
  const contract = fieldOf('agents', path[0] ?? '');
  if (contract === undefined) throw new Error(`${path[0]} is no field`);
  return formPath(contract, value, path);
};

it('a problem of the service is at the control of the part of the body that it names', () => {
  expect(at(['phone'], '1')).toBe('phone');
  expect(at(['address', 'city'], {})).toBe('address.city');
  expect(at(['licenses', '1', 'number'], [])).toBe('licenses.1.number');
  expect(at(['languages', '0'], [{ value: 'x' }])).toBe('languages.0.value');
  expect(at(['metadata', 'cost centre'], [{ name: 'cost centre', text: '' }])).toBe('metadata.0.text');
});

it('a problem of a whole list or object, or of a pair that is not in the form, is at the field', () => {
  expect(at(['address'], {})).toBe('address.root');
  expect(at(['licenses'], [])).toBe('licenses.root');
  expect(at(['metadata', 'other'], [])).toBe('metadata.root');
});
