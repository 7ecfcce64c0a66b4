import type { Field, RecordContract } from '@roster/contract';
import { records } from '@roster/contract/records';
import type { FieldContract, FieldKind, FilterContract, ResourceContract } from './types.ts';

/** A filter with the kind of one of its values. */
function filterOf({ name, description, item, ...filter }: Field): FilterContract {
  const { kind, maxLength, choices } = item ?? filter;
  return {
    name,
    description,
    kind,
    ...(item !== undefined && { isRepeatable: true }),
    ...(maxLength !== undefined && { maxLength }),
    ...(choices !== undefined && { choices }),
  };
}

function contractOf({ fields, filters, sorts }: RecordContract): ResourceContract {
  return {
    fields: fields.filter(({ isReadOnly }) => !isReadOnly),
    filters: filters.map(filterOf),
    sorts,
  };
}

/** A resource of the directory: those whose records the page lists, edits and imports. */
export type ResourceName = keyof typeof records;

/** What can be written of each resource. */
export const contracts = Object.fromEntries(
  Object.entries(records).map(([resource, record]) => [resource, contractOf(record)]),
) as Readonly<Record<ResourceName, ResourceContract>>;

/** Which resource the records are of that a field refers to. */
export function referredResource(field: string): ResourceName {
  return field.endsWith('gentId') ? 'agents' : 'offices';
}

/** A field that can be written; undefined for one that only the service writes. */
export function fieldOf(resource: ResourceName, name: string): FieldContract | undefined {
  return contracts[resource].fields.find((field) => field.name === name);
}

/** The kind of what is at a path of a record (`phone`, `address.city`, `metadata.costCentre`); times end with `At`. */
export function kindAt(resource: ResourceName, path: string): FieldKind {
  const [name = '', ...rest] = path.split('.');
  const field = fieldOf(resource, name);
  if (field === undefined) return name.endsWith('At') ? 'time' : 'text';
  if (rest.length === 0) return field.kind;
  return field.parts?.find((part) => part.name === rest.at(-1))?.kind ?? 'text';
}
