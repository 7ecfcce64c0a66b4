import { Command } from '@commander-js/extra-typings';
import { describe, expect, it } from 'vitest';
import { operationContract } from './operations.ts';
import { addFields, merged, parseInput } from './options.ts';

/** The input of an operation that these arguments set. */
function inputFrom(resource: string, operation: string, ...words: string[]) {
  const { fields } = operationContract(resource, operation);
  const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  addFields(command, fields);
  return parseInput(fields, command.parse(words, { from: 'user' }).opts());
}

describe('options', () => {
  it.each([
    ['unchanged text', ['--name', ' 007 '], { name: ' 007 ' }],
    ['a part of an object', ['--address-city', 'Porto'], { address: { city: 'Porto' } }],
    [
      'several parts in one object',
      ['--source-name', 'MLS', '--source-key', '1'],
      { source: { name: 'MLS', key: '1' } },
    ],
    [
      'an object as JSON, in which parts take precedence',
      ['--address', '{"city":"Porto","country":"PT"}', '--address-city', 'Braga'],
      { address: { city: 'Braga', country: 'PT' } },
    ],
    [
      'a licence by its parts',
      ['--license', 'number=A=1,expires-on=2027-12-31,type='],
      { licenses: [{ number: 'A=1', expiresOn: '2027-12-31', type: null }] },
    ],
    [
      'licences as JSON',
      ['--license', '{"number":"A,1"}', '--license', 'number=B2'],
      { licenses: [{ number: 'A,1' }, { number: 'B2' }] },
    ],
    ['pairs of metadata', ['--metadata', 'a=1', '--metadata', 'b=x=y'], { metadata: { a: '1', b: 'x=y' } }],
    ['an empty value of metadata', ['--metadata', 'a='], { metadata: { a: null } }],
    [
      '__proto__ as an ordinary key of metadata',
      ['--metadata', '__proto__=x'],
      { metadata: JSON.parse('{"__proto__":"x"}') },
    ],
  ])('of create set %s', (_, words, input) => {
    expect(inputFrom('offices', 'create', ...words)).toStrictEqual(input);
  });

  it('set affiliations by their parts, of which a switch is true or false', () => {
    const words = ['--affiliation', 'office-id=1,title=,is-visible=false', '--affiliation', 'is-visible=no'];
    expect(inputFrom('agents', 'create', ...words)).toStrictEqual({
      affiliations: [{ officeId: '1', title: null, isVisible: false }, { isVisible: 'no' }],
    });
  });

  it.each([
    ['a text', ['--phone', ''], { phone: null }],
    ['an enum value', ['--branch-type', ''], { branchType: null }],
    ['a reference', ['--main-office-id', ''], { mainOfficeId: null }],
    ['a part of an object', ['--address-city', ''], { address: { city: null } }],
    ['a whole object', ['--address', ''], { address: null }],
    ['a list', ['--license', ''], { licenses: null }],
    ['one pair of metadata', ['--metadata', 'a='], { metadata: { a: null } }],
    ['all metadata', ['--metadata', ''], { metadata: null }],
    ['an empty required field: the service rejects it', ['--name', ''], { name: '' }],
  ])('of update clear %s if they are empty', (_, words, input) => {
    expect(inputFrom('offices', 'update', ...words)).toStrictEqual(input);
  });

  it.each([
    ['numbers are numbers', ['--limit', '7'], { limit: 7 }],
    ['numbers may have decimals', ['--limit', '0.95'], { limit: 0.95 }],
    [
      'text that is not a number is sent unchanged, for the service to reject',
      ['--limit', 'many'],
      { limit: 'many' },
    ],
    ['a switch is true', ['--include-total'], { includeTotal: true }],
    [
      'a filter accepts several values',
      ['--status', 'active', '--status', 'inactive', '--id', 'x'],
      { status: ['active', 'inactive'], ids: ['x'] },
    ],
    ['a descending sort is not parsed as an option', ['--sort', '-createdAt'], { sort: '-createdAt' }],
    ['no defaults are sent', [], {}],
  ])('of list: %s', (_, words, input) => {
    expect(inputFrom('agents', 'list', ...words)).toStrictEqual(input);
  });

  it.each([
    ['--metadata', 'novalue', '--metadata takes key=value, not "novalue"'],
    ['--license', 'A1', '--license takes part=value,…, not "A1"'],
    ['--license', '{"number"', '--license takes JSON, not "{"number""'],
    ['--address', 'Porto', '--address takes JSON, not "Porto"'],
    ['--address', '{"city":"A","city":"B"}', '--address: city is given twice'],
    ['--license', '{"number":"A","number":"B"}', '--license: number is given twice'],
    ['--license', 'expires-on=2027-12-31,expiresOn=2028-12-31', '--license: expiresOn is given twice'],
  ])('reject text that cannot be parsed: %s %s', (option, text, message) => {
    expect(() => inputFrom('offices', 'create', option, text)).toThrow(
      expect.objectContaining({ message, exitCode: 2 }),
    );
  });

  it('reject a key of metadata that is given twice', () => {
    expect(() => inputFrom('offices', 'create', '--metadata', 'a=1', '--metadata', 'a=2')).toThrow(
      expect.objectContaining({ message: '--metadata: a is given twice', exitCode: 2 }),
    );
  });
});

it('merges options over --data part by part', () => {
  const data = { name: 'a', address: { city: 'x', country: 'PT' }, licenses: [1], source: null };
  const over = { address: { city: 'y' }, licenses: [2], source: { key: '1' } };
  expect(merged(data, over)).toEqual({
    name: 'a',
    address: { city: 'y', country: 'PT' },
    licenses: [2],
    source: { key: '1' },
  });
});
