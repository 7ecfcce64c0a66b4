import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { type DirectoryResource, forEachResource, type ResourceName } from '../../directory/registry.ts';
import { columnOf, hasParts, partColumn } from '../../engine/fields/columns.ts';
import { license } from '../../engine/fields/composite.ts';
import type { ReadField } from '../../engine/fields/field.ts';
import { countryCode, languageCode, regionCode } from '../../engine/sameness/keys.ts';
import {
  firstLicenseNumberSql,
  licenseNumberKeySql,
  licenseNumberKeysSql,
  withoutCaseSql,
} from '../../engine/sameness/sql.ts';
import { type ItemsName, queriedItems } from './items.ts';
import type { Queried, QueryFieldType, StoredField } from './queried.ts';

const typesOfColumns: Partial<Record<string, QueryFieldType>> = {
  text: 'text',
  uuid: 'id',
  int: 'number',
  timestamptz: 'time',
  'text[]': 'texts',
};

/** Days are stored as text, and have names of days. */
const typeOf = (name: string, storage: string) => (/On$/.test(name) ? 'day' : typesOfColumns[storage]);

function partsOf(table: string, name: string, { storage, output }: ReadField): [string, StoredField][] {
  if (!hasParts(storage)) return [];
  return storage.parts.map((part) => [
    `${name}.${part}`,
    {
      type: 'text',
      value: sql.ref(`${table}.${partColumn(name, part)}`),
      isNullable: acceptsNull(output),
      ...canonicalForm(part),
    },
  ]);
}

/** The first licence is the one of the RESO Data Dictionary. */
function licenseFields(table: string): [string, StoredField][] {
  return Object.keys(license.output.shape).map((part) => [
    `licenses[0].${part}`,
    {
      type: typeOf(part, 'text') ?? 'text',
      value: sql`(${sql.ref(`${table}.licenses`)} -> 0 ->> ${sql.lit(part)})`,
      isNullable: true,
      ...canonicalForm(part),
      ...(part === 'number' && licenseNumber(sql.ref(`${table}.licenses`))),
    },
  ]);
}

/** The index on numbers does not know which licence is first. */
function licenseNumber(licenses: RawBuilder<unknown>): Pick<StoredField, 'sameness' | 'implied'> {
  return {
    sameness: { stored: firstLicenseNumberSql(licenses), given: licenseNumberKeySql },
    implied: (key) => sql`${licenseNumberKeysSql(licenses)} && array[${key}]`,
  };
}

const codes: Readonly<Record<string, (text: string) => string>> = {
  country: countryCode,
  region: regionCode,
  languages: languageCode,
};

function canonicalForm(name: string): Pick<StoredField, 'canonical'> {
  const canonical = Object.hasOwn(codes, name) ? codes[name] : undefined;
  return canonical === undefined ? {} : { canonical };
}

const acceptsNull = (schema: z.ZodType) => z.safeParse(schema, null).success;

function fieldsOf({ table, fields, expressions = {} }: DirectoryResource): Record<string, StoredField> {
  const entries = Object.entries(fields).flatMap(([name, field]): [string, StoredField][] => {
    const { storage, output } = field;
    if (hasParts(storage)) return partsOf(table, name, field);
    if (name === 'licenses') return licenseFields(table);
    const type = typeOf(name, storage);
    if (type === undefined) return [];
    const own = expressions[name]?.(table);
    const value = own === undefined ? sql.ref(`${table}.${columnOf(name)}`) : sql.raw(own);
    const stored: StoredField = { type, value, isNullable: acceptsNull(output), ...canonicalForm(name) };
    if (name === 'email') stored.sameness = { stored: withoutCaseSql(value), given: withoutCaseSql };
    return [[name, stored]];
  });
  return Object.fromEntries(entries);
}

export type QueriedName = ResourceName | ItemsName;

export const queried: Readonly<Record<QueriedName, Queried>> = {
  ...forEachResource<Record<ResourceName, Queried>>((definition) => ({
    resource: definition.name,
    from: sql.table(definition.table),
    shape: definition,
    fields: fieldsOf(definition),
    ...(definition.isWithin && { isWithin: definition.isWithin }),
    tieBreaks: definition.tieBreaks ?? {},
  })),
  ...queriedItems,
};

function typesIn(fields: Readonly<Record<string, StoredField>>) {
  const types = Object.entries(fields).map(([path, { type }]) => [path, { type }] as const);
  return Object.fromEntries(types);
}

export const queryFields = Object.fromEntries(
  Object.entries(queried).map(([name, { fields }]) => [name, typesIn(fields)]),
) as Readonly<Record<QueriedName, Readonly<Record<string, { type: QueryFieldType }>>>>;
