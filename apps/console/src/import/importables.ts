import type { Field } from '@roster/contract';
import { records } from '@roster/contract/records';
import { type Column, columnsOf, createImportable, type ImportField } from '@roster/import';
import type { ResourceName } from '../contract/contracts.ts';
import { contracts, mapResources } from '../contract/contracts.ts';

/** A field, followed by the parts of an object, which have columns of their own. */
function importFields({ name, kind, choices, description, parts = [] }: Field): ImportField[] {
  const field = { path: [name], kind, choices, description };
  if (kind !== 'object') return [field];
  return [field, ...parts.map((part) => ({ ...part, path: [name, part.name] }))];
}

/** The fields that can be written, with their descriptions, which name them in the Data Dictionary. */
const writtenFields = (resource: ResourceName) =>
  records[resource].fields.filter(({ isReadOnly }) => !isReadOnly);

/** What an import reads of each resource. */
export const importables = mapResources((name) =>
  createImportable(name, writtenFields(name).flatMap(importFields)),
);

const columns = mapResources((name) => columnsOf(importables[name]));

/** Every column that an import of a resource reads. */
export const importColumns = (resource: ResourceName): readonly Column[] => columns[resource];

/** The values that a column takes, if they are a few. */
export function choicesOf(resource: ResourceName, field: string): readonly string[] | undefined {
  if (field === 'status') return ['active', 'inactive'];
  return contracts[resource].fields.find(({ name }) => name === field)?.choices;
}

/** Whether a column holds days. */
export const isDate = (field: string): boolean => field.endsWith('expiresOn');
