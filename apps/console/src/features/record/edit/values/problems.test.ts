import { describe, expect, it } from 'vitest';
import { fieldOf } from '../../../../api/contract/contracts.ts';
import { row } from './form-values.ts';
import { checkField, checkName, placeErrors } from './problems.ts';

const field = (name: string) => {
  const found = fieldOf('agents', name);
  if (found === undefined) throw new Error(`${name} is no field`);
  return found;
};

const officeName = fieldOf('offices', 'name') ?? field('name');

describe('an error', () => {
  it('is shown at its field, or at the top if the form has no such field', () => {
    const errors = [
      { pointer: '#/licenses/0/number', detail: 'is required' },
      { pointer: '#/phone', detail: 'is too long' },
      { pointer: '#/', detail: 'is no object' },
      { parameter: 'ifVersion', detail: 'must be a whole number' },
    ];
    const { atFields, elsewhere } = placeErrors(errors, ['licenses', 'email']);
    expect(atFields).toEqual([{ path: 'licenses/0/number', text: 'is required' }]);
    expect(elsewhere.map(({ path }) => path)).toEqual(['phone', '', 'ifVersion']);
  });
});

describe('a form', () => {
  it('asks for what is required', () => {
    expect(checkField(officeName, ' ')).toEqual([{ path: 'name', code: 'required' }]);
    expect(checkField(field('phone'), '')).toEqual([]);
  });

  it('asks for one of the names that make a name, at a field that it shows', () => {
    const parts = ['firstName', 'lastName'];
    const isBlank = () => true;
    const check = (shown: string[]) => checkName(parts, { shown, isBlank });
    expect(check(parts)).toEqual([{ path: 'firstName', code: 'required', unless: 'lastName' }]);
    expect(check(['lastName'])).toEqual([{ path: 'lastName', code: 'required', unless: 'firstName' }]);
    expect(check(['phone'])).toEqual([]);
    expect(checkName(parts, { shown: parts, isBlank: (name) => name !== 'lastName' })).toEqual([]);
    expect(checkName([], { shown: ['name'], isBlank })).toEqual([]);
  });

  it('counts the characters that would be sent', () => {
    expect(checkField(field('phone'), `${'1'.repeat(32)}  `)).toEqual([]);
    expect(checkField(field('phone'), '😀'.repeat(32))).toEqual([]);
    expect(checkField(field('phone'), '1'.repeat(33))).toEqual([
      { path: 'phone', code: 'too_long', max: 32 },
    ]);
  });

  it('asks for the parts of an object only if it has any', () => {
    expect(checkField(field('source'), { name: '', key: '' })).toEqual([]);
    expect(checkField(field('source'), { name: 'MLS', key: '' })).toEqual([
      { path: 'source/key', code: 'required' },
    ]);
  });

  it('checks every item of a list, and how many there are', () => {
    const license = (number: string) => row({ number, region: '11', type: '', expiresOn: '' });
    expect(checkField(field('licenses'), [license('1'), license('')])).toEqual([
      { path: 'licenses/1/number', code: 'required' },
    ]);
    const languages = Array.from({ length: 21 }, () => row('pt'));
    expect(checkField(field('languages'), languages)).toEqual([
      { path: 'languages', code: 'too_many', max: 20 },
    ]);
  });
});
