import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { type DirectoryResource, forEachResource, type ResourceName } from '../../directory.ts';
import { columnOf, hasParts, partColumn } from '../../resources/fields/columns.ts';
import { license } from '../../resources/fields/composite.ts';
import type { ReadField } from '../../resources/fields/field.ts';
import { lower } from '../../resources/folding.ts';
import { type ItemsName, queriedItems } from './items.ts';
import type { Queried, QueryFieldType, StoredField } from './queried.ts';

const typesOfColumns: Partial<Record<string, QueryFieldType>> = {
  text: 'text',
  uuid: 'id',
  int: 'number',
  timestamptz: 'time',
  'text[]': 'texts',
};

/** Days are stored as text, and have the names of days. */
const typeOf = (name: string, storage: string) => (/On$/.test(name) ? 'day' : typesOfColumns[storage]);

function partsOf(table: string, name: string, { storage, output }: ReadField): [string, StoredField][] {
  if (!hasParts(storage)) return [];
  return storage.parts.map((part) => [
    `${name}.${part}`,
    { type: 'text', value: sql.ref(`${table}.${partColumn(name, part)}`), isNullable: acceptsNull(output) },
  ]);
}

/** The first licence, which is the one of the RESO Data Dictionary. */
function licenseFields(table: string): [string, StoredField][] {
  return Object.keys(license.output.shape).map((part) => [
    `licenses[0].${part}`,
    {
      type: typeOf(part, 'text') ?? 'text',
      value: sql`(${sql.ref(`${table}.licenses`)} -> 0 ->> ${sql.lit(part)})`,
      isNullable: true,
      ...(part === 'number' && { implied: (number) => hasLicense(table, number) }),
    },
  ]);
}

/** In the words of the index on licences, which does not know which one is the first. */
function hasLicense(table: string, number: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${sql.ref(`${table}.licenses`)} @> jsonb_build_array(jsonb_build_object('number', ${number}))`;
}

/** In the words of the index on e-mails, which ignores case. */
function hasFoldedEmail(table: string, email: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${lower(sql.ref(`${table}.email`))} = ${lower(email)}`;
}

const acceptsNull = (schema: z.ZodType) => z.safeParse(schema, null).success;

/** The scalar fields of a record, the parts of its objects, its first licence, and its lists of texts. */
function fieldsOf({ table, fields, expressions = {} }: DirectoryResource): Record<string, StoredField> {
  const entries = Object.entries(fields).flatMap(([name, field]): [string, StoredField][] => {
    const { storage, output } = field;
    if (hasParts(storage)) return partsOf(table, name, field);
    if (name === 'licenses') return licenseFields(table);
    const type = typeOf(name, storage);
    if (type === undefined) return [];
    const own = expressions[name]?.(table);
    const value = own === undefined ? sql.ref(`${table}.${columnOf(name)}`) : sql.raw(own);
    const stored: StoredField = { type, value, isNullable: acceptsNull(output) };
    if (name === 'email') stored.implied = (email) => hasFoldedEmail(table, email);
    return [[name, stored]];
  });
  return Object.fromEntries(entries);
}

/** The name of what a query reads: a resource, or the items of a list in its records. */
export type QueriedName = ResourceName | ItemsName;

/** All that queries read. */
export const queried: Readonly<Record<QueriedName, Queried>> = {
  ...forEachResource<Record<ResourceName, Queried>>((definition) => ({
    resource: definition.name,
    from: sql.table(definition.table),
    shape: definition,
    fields: fieldsOf(definition),
    isWithin: definition.isWithin,
  })),
  ...queriedItems,
};

function typesIn(fields: Readonly<Record<string, StoredField>>) {
  const types = Object.entries(fields).map(([path, { type }]) => [path, { type }] as const);
  return Object.fromEntries(types);
}

/** The fields that conditions and orders may name, with their types. */
export const queryFields = Object.fromEntries(
  Object.entries(queried).map(([name, { fields }]) => [name, typesIn(fields)]),
) as Readonly<Record<QueriedName, Readonly<Record<string, { type: QueryFieldType }>>>>;
