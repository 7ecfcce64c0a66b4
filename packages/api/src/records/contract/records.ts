import type { Field, RecordContract } from '@roster/fields';
import { readFields } from '@roster/fields/read';
import type { z } from 'zod';
import type { DirectoryResource } from '../../directory/registry.ts';
import { forms, notBlank, withoutNul } from '../../engine/fields/field.ts';
import { rpcOnly } from '../../engine/fields/schemas.ts';
import { jsonSchemaOf } from './json-schema.ts';
import { withReferences } from './references.ts';

/** Patterns that repeat a text's limits, or that the service describes in words. */
const ignoredPatterns: readonly string[] = [notBlank, withoutNul, ...Object.values(forms)];

export function fieldsIn(type: z.ZodType, io: 'input' | 'output', resource: string): Field[] {
  const { $defs: definitions = {}, ...schema } = jsonSchemaOf(type, io);
  return withReferences(readFields(schema, { definitions, ignoredPatterns }), resource);
}

const pageParameters = ['limit', 'cursor', 'startAt', 'includeTotal', 'highlight', 'expand', 'sort', 'q'];

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

/** Without what only files name. */
export function contractOf(definition: DirectoryResource): RecordContract {
  const { name, table, schemas, nameField, nameSort, listFields, countFields = [] } = definition;
  const { parent, uniqueBy, nameParts } = definition;
  const query = fieldsIn(schemas.query, 'input', name).filter((field) => !rpcOnly.includes(field.name));
  const choicesOf = (parameter: string) => {
    const field = query.find(({ name }) => name === parameter);
    return field?.choices ?? field?.item?.choices ?? [];
  };
  return {
    singular: table,
    nameField,
    ...(!nameParts.includes(nameField) && { nameParts: [...nameParts] }),
    nameSort,
    listFields: [...listFields],
    usualColumns: [...(definition.usualColumns ?? [...listFields, 'updatedAt'])],
    countFields: [...countFields],
    ...(parent !== undefined && { parentField: parent.field }),
    uniqueBy: [...uniqueBy],
    fields: fieldsOf(definition),
    filters: query.filter((field) => !pageParameters.includes(field.name)),
    sorts: choicesOf('sort'),
    expansions: choicesOf('expand'),
  };
}
