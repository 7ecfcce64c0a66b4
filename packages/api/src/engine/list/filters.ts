import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { dayAt, timeAt } from '../fields/relative-time.ts';
import { licenseNumberKeysSql, withoutCaseSql } from '../sameness/sql.ts';
import { fullText, type Reading, type Search } from '../search/search.ts';
import type { Param } from '../sql/column-mapping.ts';
import type { Filter } from '../sql/filter.ts';
import { byEmptiness, type EmptinessField } from './emptiness.ts';
import { byLicenseExpiryBefore, byLicenseExpirySince } from './license-expiry.ts';
import type { fieldFilterQuery, filterQueryOf, licenseFilterQuery } from './parameters.ts';

/** The filters that lists of records share; those of one list are in its `Listable`. */
export type Filters = Partial<
  Omit<
    z.output<
      z.ZodObject<
        ReturnType<typeof filterQueryOf<object>> & typeof fieldFilterQuery & typeof licenseFilterQuery
      >
    >,
    'status' | 'q'
  >
> & {
  /** A search, folded (`searchFor`), and how it is read. */
  q?: (Search & Reading) | undefined;
  status?: string[] | undefined;
  empty?: EmptinessField[] | undefined;
  notEmpty?: EmptinessField[] | undefined;
};

/** The rest of a request for a list that a condition depends on, beside the value of its filter. */
export interface Asked {
  /** The time from which relative times count. */
  now: Date;
  /** Whether the caller is limited to some offices. */
  isLimited: boolean;
}

/** One condition for each filter of a list, by the name of the filter. */
export type Conditions<Values> = {
  readonly [Name in keyof Values]: (value: Values[Name], asked: Asked) => Filter;
};

/** Values of some of the filters. */
export type Given<Values> = { [Name in keyof Values]?: Values[Name] | undefined };

/** A single value is compared with `=`: only then can PostgreSQL read an index on the column and the sort in order. */
export function equalsAny(column: string, values: string[], type = 'text'): Filter {
  const isOne = values.length === 1;
  const param = (at: Param) => sql`${at(column)}::${sql.raw(type)}${isOne ? sql`` : sql`[]`}`;
  return {
    shape: isOne ? '1' : '*',
    ...(isOne && { one: column }),
    condition: isOne
      ? (at) => sql`${sql.ref(column)} = ${param(at)}`
      : (at) => sql`${sql.ref(column)} = any(${param(at)})`,
    values: { [column]: isOne ? values[0] : values },
  };
}

/**
 * The states are literals, not parameters: PostgreSQL knows how many rows have each, and would plan every request again if
 * they were parameters.
 */
function byStatus(values: string[]): Filter {
  const words = [...new Set(values)].sort();
  return {
    shape: words.join('/'),
    condition: () => sql`status in (${sql.join(words.map(sql.lit))})`,
    values: {},
  };
}

/** An expression is true, or not; neither is a parameter. */
export const isTrue =
  (expression: RawBuilder<unknown>) =>
  (value: boolean): Filter => ({
    shape: String(value),
    condition: () => sql`${expression} = ${sql.lit(value)}`,
    values: {},
  });

/** A column has one of some ids. */
export const isAnyId = (column: string, values: string[]) => equalsAny(column, values, 'uuid');

/** Compares a column with a time, which may be relative to that of the request. */
export function compares(column: string, comparison: '>=' | '<', time: string, now: Date): Filter {
  const name = `${column} ${comparison}`;
  const condition = (param: Param) => sql<boolean>`${sql.ref(column)} ${sql.raw(comparison)} ${param(name)}`;
  return { condition, values: { [name]: timeAt(time, now) } };
}

/** Any of the licence numbers, in the words of the index on them. */
function byLicense(numbers: string[]): Filter {
  return {
    condition: (param) =>
      sql`${licenseNumberKeysSql(sql.ref('licenses'))} && ${licenseNumberKeysSql(sql`${param('licenses')}::jsonb`)}`,
    values: { licenses: JSON.stringify(numbers.map((number) => ({ number }))) },
  };
}

function byEmail(values: string[]): Filter {
  const condition = (param: Param) => sql<boolean>`
    ${withoutCaseSql(sql`email`)} = any(select ${withoutCaseSql(sql`wanted`)} from unnest(${param('email')}::text[]) as wanted)`;
  return { condition, values: { email: values } };
}

/** Ignoring case, in the words of the index; of one city the index goes on in the order of the names. */
function byCity(values: string[]): Filter {
  const column = 'address_city';
  const isOne = values.length === 1;
  return {
    shape: isOne ? '1' : '*',
    ...(isOne && { one: column }),
    condition: (param) =>
      isOne
        ? sql`${withoutCaseSql(sql.ref(column))} = ${withoutCaseSql(sql`${param(column)}::text`)}`
        : sql`${withoutCaseSql(sql.ref(column))} = any(select ${withoutCaseSql(sql`wanted`)} from unnest(${param(column)}::text[]) as wanted)`,
    values: { [column]: isOne ? values[0] : values },
  };
}

function deactivatedSince(time: string, now: Date): Filter {
  const { condition, values } = compares('deactivated_at', '>=', time, now);
  return { condition: (param) => sql`status = 'inactive' and ${condition(param)}`, values };
}

const conditions: Conditions<{ [Name in keyof Filters]-?: NonNullable<Filters[Name]> }> = {
  q: fullText,
  status: byStatus,
  ids: (values) => isAnyId('id', values),
  email: byEmail,
  mlsId: (values) => equalsAny('mls_id', values),
  city: byCity,
  region: (values) => equalsAny('address_region', values),
  country: (values) => equalsAny('address_country', values),
  licenseNumber: byLicense,
  licenseExpiresSince: (day, { now }) => byLicenseExpirySince(dayAt(day, now)),
  licenseExpiresBefore: (day, { now }) => byLicenseExpiryBefore(dayAt(day, now)),
  sourceName: (values) => equalsAny('source_name', values),
  sourceKey: (values) => equalsAny('source_key', values),
  createdSince: (time, { now }) => compares('created_at', '>=', time, now),
  createdBefore: (time, { now }) => compares('created_at', '<', time, now),
  updatedSince: (time, { now }) => compares('updated_at', '>=', time, now),
  updatedBefore: (time, { now }) => compares('updated_at', '<', time, now),
  deactivatedSince: (time, { now }) => deactivatedSince(time, now),
  empty: (fields) => byEmptiness(fields, 'isEmpty'),
  notEmpty: (fields) => byEmptiness(fields, 'hasValue'),
};

/**
 * The filters that were given, and what tells the text of their conditions from others.
 *
 * @param own The conditions of the filters that only this list has
 */
export function filtersOf(
  given: Filters,
  own: object | undefined,
  asked: Asked,
): { shape: string; filters: Filter[] } {
  const known = { ...conditions, ...own } as Record<string, (value: unknown, asked: Asked) => Filter>;
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  const filters = present.map(([name, value]) => {
    const condition = known[name];
    if (condition === undefined) throw new Error(`the list has no filter ${name}`);
    return condition(value, asked);
  });
  return { shape: present.map(([name], index) => `${name}${filters[index]?.shape ?? ''}`).join(), filters };
}
