import { type Column, columnsOf, createImportable, headerReader } from '@roster/import';
import type { ResourceName } from '../contract/contracts.ts';
import { contracts, mapResources } from '../contract/contracts.ts';

/** What an import reads of each resource. */
export const importables = mapResources(createImportable);

const columns = mapResources((name) => columnsOf(importables[name]));

/** Every column that an import of a resource reads. */
export const importColumns = (resource: ResourceName): readonly Column[] => columns[resource];

/** The name of metadata: a column of its own for each pair. */
const METADATA = 'metadata.';

/** A column by the path of its field; undefined for an empty path. */
export function columnOfField(resource: ResourceName, field: string): Column | undefined {
  if (field.startsWith(METADATA)) {
    const meaning = headerReader(importables[resource])(field);
    return meaning.kind === 'column' ? meaning.column : undefined;
  }
  return importColumns(resource).find((column) => column.field === field);
}

/** The values that a column takes, if they are a few. */
export function choicesOf(resource: ResourceName, field: string): readonly string[] | undefined {
  if (field === 'status') return ['active', 'inactive'];
  return contracts[resource].fields.find(({ name }) => name === field)?.choices;
}

/** Whether a column holds days. */
export const isDate = (field: string): boolean => field.endsWith('expiresOn');
