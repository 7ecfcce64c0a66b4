import { describe, expect, it } from 'vitest';
import { contracts, resourceNames } from '../../../api/contract/contracts.ts';
import { columnsOf } from '../../../resources/index.ts';
import { fieldsOfCell } from './editable-cells.ts';

describe('the fields that a cell edits', () => {
  it.each([
    ['agents', 'phone', ['phone']],
    ['agents', 'address.city', ['address']],
    ['agents', 'displayName', ['firstName', 'lastName']],
    ['offices', 'name', ['name']],
    ['agents', 'status', []],
    ['agents', 'updatedAt', []],
    ['offices', 'counts.agents', []],
  ] as const)('of %s in %s are %j', (resource, column, fields) => {
    expect(fieldsOfCell(resource, column)).toEqual(fields);
  });

  it.each(resourceNames)(
    'are all fields of %s that a caller may write, but a name that follows from others',
    (resource) => {
      const { fields, nameField, nameParts } = contracts[resource];
      const edited = new Set(columnsOf(resource).flatMap((column) => fieldsOfCell(resource, column)));
      const others = fields.filter(({ name }) => !edited.has(name));
      expect(others).toEqual(fields.filter(({ name }) => name === nameField && nameParts !== undefined));
    },
  );
});
