import type { BareField, BareRecordContract } from '@roster/contract';
import { records } from '@roster/contract/fields';
import type { FieldContract, FieldKind, FilterContract, ResourceContract } from './types.ts';

/** A filter with the kind of one of its values. */
function filterOf({ name, item, ...filter }: BareField): FilterContract {
  const { kind, maxLength, choices } = item ?? filter;
  return {
    name,
    kind,
    ...(item !== undefined && { isRepeatable: true }),
    ...(maxLength !== undefined && { maxLength }),
    ...(choices !== undefined && { choices }),
  };
}

function contractOf({ singular, fields, filters, sorts }: BareRecordContract): ResourceContract {
  return {
    singular,
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

/** The resources of the directory, in the order in which the page shows them: by their names. */
export const resourceNames = Object.keys(records).toSorted() as readonly ResourceName[];

/** Makes a value for each resource. */
export function mapResources<Value>(
  make: (name: ResourceName) => Value,
): Readonly<Record<ResourceName, Value>> {
  return Object.fromEntries(resourceNames.map((name) => [name, make(name)])) as Record<ResourceName, Value>;
}

const allFields = Object.values(contracts).flatMap(({ fields }) => fields);
const references = new Set(allFields.filter(({ kind }) => kind === 'reference').map(({ name }) => name));
const choices = new Set(allFields.filter(({ kind }) => kind === 'choice').map(({ name }) => name));

/** Whether a field, of any resource, has the id of a record. */
export const isReference = (field: string): boolean => references.has(field);

/** Whether a field, of any resource, has one of a few values. */
export const isChoice = (field: string): boolean => field === 'status' || choices.has(field);

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
