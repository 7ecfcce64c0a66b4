import type { Field, RecordContract } from '@roster/fields';
import { readFields, type Schema } from '@roster/fields/read';
import { z } from 'zod';
import { type DirectoryResource, definitions } from '../directory/registry.ts';
import { columnOf } from '../engine/fields/columns.ts';
import { forms, notBlank, withoutNul } from '../engine/fields/field.ts';
import { rpcOnly } from '../engine/fields/schemas.ts';

function acceptsSingleItem({ _zod }: z.core.$ZodTypes): boolean {
  if (_zod.def.type !== 'pipe') return false;
  const { in: before, out: after } = _zod.def as z.core.$ZodPipeDef;
  return before._zod.def.type === 'transform' && after._zod.def.type === 'array';
}

type Names = ReadonlyMap<z.core.$ZodType, string>;

export function jsonSchemaOf(type: z.ZodType, io: 'input' | 'output', names: Names = new Map()): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (acceptsSingleItem(zodSchema)) (jsonSchema as Schema).isRepeated = true;
      const name = names.get(zodSchema);
      if (name !== undefined) (jsonSchema as Schema).$ref = `#/$defs/${name}`;
    },
  }) as Schema & { $schema?: string };
  return schema;
}

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

function* relations(): Generator<[field: string, table: string]> {
  for (const { fields, references } of definitions) {
    for (const name of Object.keys(fields)) {
      const { table, items } = references[columnOf(name)] ?? {};
      if (table !== undefined) yield [items?.field ?? name, table];
    }
  }
}

const inputs: Readonly<Record<string, string>> = { toOfficeId: 'officeId', officeIds: 'officeId' };

const tables = new Map<string, string>();
for (const [field, table] of relations()) {
  if ((tables.get(field) ?? table) !== table) throw new Error(`${field} refers to two resources`);
  tables.set(field, table);
}

function referredResource({ name, kind, item }: Field, resource: string): string | undefined {
  if ((item?.kind ?? kind) !== 'reference') return undefined;
  if (name === 'ids') return resource;
  const table = tables.get(inputs[name] ?? name);
  return definitions.find((definition) => definition.table === table)?.name;
}

function withReferences(fields: readonly Field[], resource: string): Field[] {
  return fields.map((field) => {
    const refersTo = referredResource(field, resource);
    const { parts, variants } = field;
    return {
      ...field,
      ...(parts !== undefined && { parts: withReferences(parts, resource) }),
      ...(variants !== undefined && {
        variants: variants.map((variant) => withReferences(variant, resource)),
      }),
      ...(refersTo !== undefined && { refersTo }),
    };
  });
}
