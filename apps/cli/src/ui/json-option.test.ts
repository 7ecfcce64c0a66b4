import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { describe, expect, it } from 'vitest';
import { bindFields, jsonWanted } from './json-option.ts';

const contract = {
  returned: ['id', 'displayName', 'address', 'metadata'],
  partsOf: (field: string) => ({ id: [], displayName: [], address: ['city', 'line1'] })[field],
};
const commands: Record<string, CommandUnknownOpts> = {
  list: new Command('list'),
  get: new Command('get').argument('<id>'),
  import: new Command('import').argument('<file>'),
};

const commandOf = ([name = '']: readonly string[]) => commands[name] ?? commands.list ?? new Command();

describe('--json', () => {
  it.each([
    [
      ['get', '--json', '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11'],
      ['get', '--json=', '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11'],
    ],
    [
      ['list', '--json'],
      ['list', '--json='],
    ],
    [
      ['list', '--json', 'id,displayName'],
      ['list', '--json=id,displayName'],
    ],
    [
      ['list', '--json', '--all'],
      ['list', '--json=', '--all'],
    ],
    [
      ['list', '--json=id', 'x'],
      ['list', '--json=id', 'x'],
    ],
    [
      ['get', '--', '--json', 'id'],
      ['get', '--', '--json', 'id'],
    ],
    [
      ['list', '--json', 'name,address.city'],
      ['list', '--json=name,address.city'],
    ],
    [
      ['list', '--json', 'name,', 'address.city,', '--all'],
      ['list', '--json=name,address.city,', '--all'],
    ],
    [
      ['list', '--columns', 'name,', 'address.city'],
      ['list', '--columns=name,address.city'],
    ],
    [
      ['list', '--json', 'licenses[0].number'],
      ['list', '--json=licenses[0].number'],
    ],
    [
      ['get', '--json', 'address.city', 'x'],
      ['get', '--json=address.city', 'x'],
    ],
    [
      ['import', '--json', 'agents.csv'],
      ['import', '--json=', 'agents.csv'],
    ],
    [
      ['import', '--json', 'id,rows', 'agents.csv'],
      ['import', '--json=id,rows', 'agents.csv'],
    ],
    [
      ['list', '--columns', '--all'],
      ['list', '--columns', '--all'],
    ],
  ])('consumes the fields after it, and nothing else: %j', (argv, bound) => {
    expect(bindFields(argv, commandOf(argv))).toEqual(bound);
  });

  it('rejects a field that the response does not have, and lists its fields', () => {
    expect(jsonWanted({ json: 'id,displayName' }, contract)).toEqual({
      isLines: false,
      fields: ['id', 'displayName'],
    });
    expect(jsonWanted({ json: '' }, contract)).toEqual({ isLines: false, fields: [] });
    expect(jsonWanted({}, contract)).toBeUndefined();
    expect(() => jsonWanted({ json: 'displayname' }, contract)).toThrow(
      expect.objectContaining({
        message: '--json: there is no field displayname',
        hint: 'Did you mean displayName? The fields are id, displayName, address, metadata.',
        exitCode: 2,
      }),
    );
  });

  it('takes the parts of a field, and rejects one that it does not have', () => {
    const json = 'id, address.city, metadata.unit-number,';
    expect(jsonWanted({ json }, contract)?.fields).toEqual(['id', 'address.city', 'metadata.unit-number']);
    expect(() => jsonWanted({ json: 'address.cty' }, contract)).toThrow(
      expect.objectContaining({
        message: '--json: there is no field address.cty',
        hint: 'Did you mean address.city? The fields in it are address.city, address.line1.',
      }),
    );
    expect(() => jsonWanted({ json: 'id.x' }, contract)).toThrow(
      expect.objectContaining({ hint: 'id has no parts.', exitCode: 2 }),
    );
  });
});
