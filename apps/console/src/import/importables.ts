import { type Column, columnsOf, createImportable, type Importable, type ImportField } from '@roster/import';
import type { ResourceName } from '../contract/contracts.ts';
import { contracts } from '../contract/contracts.ts';
import type { FieldContract } from '../contract/types.ts';

/** A field, followed by the parts of an object, which have columns of their own. */
function importFields({ name, kind, choices, description, parts = [] }: FieldContract): ImportField[] {
  const field = { path: [name], kind, choices, description };
  if (kind !== 'object') return [field];
  return [field, ...parts.map((part) => ({ ...part, path: [name, part.name] }))];
}

const importableOf = (name: ResourceName): Importable =>
  createImportable(name, contracts[name].fields.flatMap(importFields));

/** What an import reads of each resource. */
export const importables: Readonly<Record<ResourceName, Importable>> = {
  offices: importableOf('offices'),
  agents: importableOf('agents'),
};

const columns: Readonly<Record<ResourceName, readonly Column[]>> = {
  offices: columnsOf(importables.offices),
  agents: columnsOf(importables.agents),
};

/** Every column that an import of a resource reads. */
export const importColumns = (resource: ResourceName): readonly Column[] => columns[resource];

/** The values that a column takes, if they are a few. */
export function choicesOf(resource: ResourceName, field: string): readonly string[] | undefined {
  if (field === 'status') return ['active', 'inactive'];
  return contracts[resource].fields.find(({ name }) => name === field)?.choices;
}

/** Whether a column holds days. */
export const isDate = (field: string): boolean => field.endsWith('expiresOn');
