import type { Field, RecordContract } from '@roster/fields';
import { readFields } from '@roster/fields/read';
import type { z } from 'zod';
import { type DirectoryResource, forEachResource, type ResourceName } from '../../directory.ts';
import { forms, notBlank, withoutNul } from '../../engine/fields/field.ts';
import { rpcOnly } from '../../engine/fields/schemas.ts';
import { jsonSchemaOf } from './json-schema.ts';
import { withReferences } from './references.ts';

/** The patterns that the limits of a text say too, and those that the service says in words. */
const ignoredPatterns: readonly string[] = [notBlank, withoutNul, ...Object.values(forms)];

/** The fields of an input or an output of a resource, or of another schema; those that only RPC has among them. */
export function fieldsIn(type: z.ZodType, io: 'input' | 'output', resource: string): Field[] {
  const { $defs: definitions = {}, ...schema } = jsonSchemaOf(type, io);
  return withReferences(readFields(schema, { definitions, ignoredPatterns }), resource);
}

/** The parameters of a list that are no filters. */
const pageParameters = ['limit', 'cursor', 'startAt', 'includeTotal', 'highlight', 'expand', 'sort', 'q'];

/** The names of fields, by what they name a record with. */
function byKind<Kind extends string>(names: Readonly<Record<string, Kind>>): Partial<Record<Kind, string>> {
  return Object.fromEntries(Object.entries(names).map(([field, kind]) => [kind, field])) as Partial<
    Record<Kind, string>
  >;
}

/** The fields of a record: those that a new one may have, then those that only the service sets. */
function fieldsOf({ name, schemas }: DirectoryResource): Field[] {
  const read = new Map(fieldsIn(schemas.record, 'output', name).map((field) => [field.name, field]));
  const written = fieldsIn(schemas.created, 'input', name).map((field): Field => {
    const isAlwaysSet = field.isNullable === true && read.get(field.name)?.isNullable !== true;
    return { ...field, ...(isAlwaysSet && { isAlwaysSet }) };
  });
  for (const field of written) read.delete(field.name);
  return [
    ...written,
    ...Array.from(read.values(), ({ isRequired: _, ...field }): Field => ({ ...field, isReadOnly: true })),
  ];
}

function contractOf(definition: DirectoryResource): RecordContract {
  const { name, table, schemas, nameField, nameSort, listFields, countFields = [] } = definition;
  const { parent, uniqueBy, imports } = definition;
  const { source, name: officeName } = byKind(imports.officeNames ?? {});
  const query = fieldsIn(schemas.query, 'input', name).filter((field) => !rpcOnly.includes(field.name));
  const choicesOf = (parameter: string) => query.find((field) => field.name === parameter)?.choices ?? [];
  return {
    singular: table,
    nameField,
    nameSort: nameSort.key,
    listFields: [...listFields],
    countFields: [...countFields],
    ...(parent !== undefined && { parentField: parent.field }),
    ...(source !== undefined && {
      parentNames: { source, ...(officeName !== undefined && { name: officeName }) },
    }),
    ...(imports.itemRows !== undefined && {
      itemRows: { field: imports.itemRows.field, names: byKind(imports.itemRows.names) },
    }),
    uniqueBy: [...uniqueBy],
    fields: fieldsOf(definition),
    filters: query.filter((field) => !pageParameters.includes(field.name)),
    sorts: choicesOf('sort'),
    expansions: choicesOf('expand'),
  };
}

/** Makes the contract of the records of each resource. */
export function recordContracts(): Record<ResourceName, RecordContract> {
  return forEachResource<Record<ResourceName, RecordContract>>(contractOf);
}
