import { describe, expect, it } from 'vitest';
import { bindJsonFields, jsonFieldsOf } from './json-option.ts';

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
  ])('takes the fields after it, and nothing else: %j', (argv, bound) => {
    expect(bindJsonFields(argv)).toEqual(bound);
  });

  it('refuses a field the answer does not have, and names those it has', () => {
    expect(jsonFieldsOf('id,displayName', contract)).toEqual(['id', 'displayName']);
    expect(jsonFieldsOf('', contract)).toEqual([]);
    expect(jsonFieldsOf(undefined, contract)).toBeUndefined();
    expect(() => jsonFieldsOf('nmae', contract)).toThrow(
      expect.objectContaining({
        message: '--json: there is no field nmae',
        remedy: 'The fields are id, displayName.',
        exitCode: 2,
      }),
    );
  });
});
