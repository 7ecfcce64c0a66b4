import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { type Column, columnsOf, createImportable, type Importable, type ImportField } from '@roster/import';
import { contracts } from '../fields/contracts.ts';
import { pathLabel } from '../fields/part-labels.ts';
import type { FieldContract } from '../fields/types.ts';
import type { ResourceName } from '../list/queries.ts';

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

/** The columns that are no fields of a record: other ways to name an office, and parts that only the Data Dictionary has. */
const columnLabels: Readonly<Record<string, MessageDescriptor>> = {
  officeSource: msg`Office, by its source`,
  'officeSource.name': msg`Office, system of its key`,
  'officeSource.key': msg`Office, key in its source`,
  officeName: msg`Office, by its name`,
  mainOfficeSource: msg`Main office, by its source`,
  'mainOfficeSource.name': msg`Main office, system of its key`,
  'mainOfficeSource.key': msg`Main office, key in its source`,
  'address.postalCodePlus4': msg`Address, suffix of the postal code`,
};

/** What a column of an import is called. */
export function columnLabel(i18n: I18n, resource: ResourceName, field: string): string {
  const label = columnLabels[field];
  // Of a list the import has the only item.
  return label === undefined ? pathLabel(i18n, resource, field.replaceAll('[0]', '')) : i18n._(label);
}
