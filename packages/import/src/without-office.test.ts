import type { RecordContract } from '@roster/fields';
import { expect, it } from 'vitest';
import { columnsOf } from './columns.ts';
import { createImportable } from './importable.ts';

const brands: RecordContract = {
  singular: 'brand',
  nameField: 'name',
  nameSort: 'name',
  listFields: ['name'],
  usualColumns: ['name'],
  countFields: [],
  uniqueBy: ['source'],
  fields: [{ name: 'name', kind: 'text', description: 'Name of the brand', isRequired: true }],
  filters: [],
  sorts: ['name'],
  expansions: [],
};

it('a resource without an office has no column that names one, and needs none', () => {
  const importable = createImportable('brands', { brands });
  expect(importable).toMatchObject({
    name: 'brands',
    requiredFields: ['name'],
    nameParts: [],
    isTree: false,
  });
  expect(columnsOf(importable).map(({ field }) => field)).toEqual(['id', 'status', 'name']);
});
