import { records } from '@roster/contract/fields';
import type { BareField, BareRecordContract } from '@roster/fields';
import { keysOf } from '@roster/fields/objects';
import type { FieldContract, FieldKind, FilterContract, ResourceContract, ResourceName } from './types.ts';

export type { ResourceName } from './types.ts';

const isResource = (name: string | undefined): name is ResourceName => name !== undefined && name in records;

function fieldContractOf({ parts, refersTo, ...field }: BareField): FieldContract {
  return {
    ...field,
    ...(parts !== undefined && { parts: parts.map(fieldContractOf) }),
    ...(isResource(refersTo) && { refersTo }),
  };
}

function filterOf({ name, item, refersTo, ...filter }: BareField): FilterContract {
  const { kind, maxLength, choices } = item ?? filter;
  return {
    name,
    kind,
    ...(item !== undefined && { isRepeatable: true }),
    ...(maxLength !== undefined && { maxLength }),
    ...(choices !== undefined && { choices }),
    ...(isResource(refersTo) && { refersTo }),
  };
}

function contractOf({ fields, filters, ...contract }: BareRecordContract): ResourceContract {
  return {
    ...contract,
    fields: fields.filter(({ isReadOnly }) => !isReadOnly).map(fieldContractOf),
    filters: filters.map(filterOf),
  };
}

/** In the order of the directory: each comes after those that it refers to. */
export const orderedResources: readonly ResourceName[] = keysOf(records);

export const resourceNames: readonly ResourceName[] = orderedResources.toSorted();

export function mapResources<Value>(
  make: (name: ResourceName) => Value,
): Readonly<Record<ResourceName, Value>> {
  const isWhole = (map: Partial<Record<ResourceName, Value>>): map is Record<ResourceName, Value> =>
    orderedResources.every((name) => name in map);
  const map: Partial<Record<ResourceName, Value>> = Object.fromEntries(
    orderedResources.map((name) => [name, make(name)]),
  );
  if (!isWhole(map)) throw new Error('A resource is missing');
  return map;
}

export const contracts = mapResources((name) => contractOf(records[name]));

const allFields = Object.values(contracts).flatMap(({ fields }) =>
  fields.flatMap((field) => [field, ...(field.parts ?? [])]),
);
const choices = new Set(allFields.filter(({ kind }) => kind === 'choice').map(({ name }) => name));

export const isChoice = (field: string): boolean => field === 'status' || choices.has(field);

const fieldsByName = mapResources(
  (resource) => new Map(contracts[resource].fields.map((field) => [field.name, field])),
);

/** A field that can be written; undefined for one that only the service writes. */
export function fieldOf(resource: ResourceName, name: string): FieldContract | undefined {
  return fieldsByName[resource].get(name);
}

const knownFieldsByName = mapResources(
  (resource) => new Map(records[resource].fields.map((field) => [field.name, fieldContractOf(field)])),
);

/** A field of a record, including those that only the service writes. */
export function knownFieldOf(resource: ResourceName, name: string): FieldContract | undefined {
  return knownFieldsByName[resource].get(name);
}

export function referredResource(resource: ResourceName, field: string): ResourceName | undefined {
  return fieldOf(resource, field)?.refersTo;
}

/** The field with the id of the record that each record belongs to, and the resource of that; undefined if records belong to none. */
export function parentOf(resource: ResourceName): { field: string; resource: ResourceName } | undefined {
  const { parentField } = contracts[resource];
  const parent = parentField && referredResource(resource, parentField);
  return parent ? { field: parentField, resource: parent } : undefined;
}

/** The name by which a list can embed the record that each record belongs to, such as `office`; undefined if it cannot. */
export function embeddedParent(resource: ResourceName): string | undefined {
  const parent = parentOf(resource);
  return (
    parent && contracts[resource].expansions.find((name) => name === contracts[parent.resource].singular)
  );
}

/** Whether the control of a kind of values is one line. */
export const isOneLine = (kind: FieldKind): boolean =>
  !['long-text', 'list', 'records', 'map', 'object'].includes(kind);

export function kindAt(resource: ResourceName, path: string): FieldKind {
  const [name = '', ...rest] = path.split('.');
  const field = knownFieldOf(resource, name);
  if (rest.length === 0) return field?.kind ?? 'text';
  return field?.parts?.find((part) => part.name === rest.at(-1))?.kind ?? 'text';
}
