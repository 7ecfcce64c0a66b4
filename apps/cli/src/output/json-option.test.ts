import { describe, expect, it } from 'vitest';
import { bindJsonFields, jsonWanted } from './json-option.ts';

const contract = { summary: '', description: '', fields: [], answers: ['id', 'displayName'] };

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
  ])('consumes the fields after it, and nothing else: %j', (argv, bound) => {
    expect(bindJsonFields(argv)).toEqual(bound);
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
        hint: 'Did you mean displayName? The fields are id, displayName.',
        exitCode: 2,
      }),
    );
  });
});
