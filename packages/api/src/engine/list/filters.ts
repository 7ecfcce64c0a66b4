import { type Fragment, fragment } from '@roster/db';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { timeAt } from '../fields/relative-time.ts';
import { isWithin } from '../office-limit.ts';
import { withoutCaseSql } from '../sameness/sql.ts';
import { fullText, type Reading, type Search } from '../search/search.ts';
import type { Condition, Filter } from '../sql/filter.ts';
import { LIMIT_OFFICES } from '../sql/limited-rows.ts';
import { byEmptiness, type EmptinessField } from './emptiness.ts';
import type { fieldFilterQuery, filterQueryOf } from './parameters.ts';

/** The filters that lists of records share. A list's own filters are in its `Listable`. */
export type Filters = Partial<
  Omit<
    z.output<z.ZodObject<ReturnType<typeof filterQueryOf<object>> & typeof fieldFilterQuery>>,
    'status' | 'q'
  >
> & {
  q?: (Search & Reading) | undefined;
  status?: string[] | undefined;
  /** Names of filters that match what they otherwise leave out. */
  not?: string[] | undefined;
  empty?: EmptinessField[] | undefined;
  notEmpty?: EmptinessField[] | undefined;
};

export interface Asked {
  now: Date;
  isLimited: boolean;
}

export type Conditions<Values> = {
  readonly [Name in keyof Values]: (value: Values[Name], asked: Asked) => Filter;
};

export type Given<Values> = { [Name in keyof Values]?: Values[Name] | undefined };

interface ColumnShape {
  column: string;
  isOne: boolean;
}

interface TextShape extends ColumnShape {
  /** The value of the column, unless it is the column alone without case. */
  of?: Fragment<RawBuilder<unknown>>;
}

export const equals = fragment<ColumnShape & { type: 'text' | 'uuid' }, Condition>(
  ({ column, isOne, type }, param) => {
    const value = sql`${param(column)}::${sql.raw(type)}${isOne ? sql`` : sql`[]`}`;
    return isOne ? sql`${sql.ref(column)} = ${value}` : sql`${sql.ref(column)} = any(${value})`;
  },
);

/** Only with `=` for a single value can PostgreSQL read an index on the column and the sort in order. */
export function equalsAny(column: string, values: string[], type: 'text' | 'uuid' = 'text'): Filter {
  const isOne = values.length === 1;
  return {
    condition: equals({ column, isOne, type }),
    ...(isOne && { one: column }),
    values: { [column]: isOne ? values[0] : values },
  };
}

const hasStatus = fragment<{ words: string[] }, Condition>(
  ({ words }) => sql`status in (${sql.join(words.map(sql.lit))})`,
);

/** As parameters, PostgreSQL would plan every request anew, because it knows the rows of each status. */
function byStatus(values: string[]): Filter {
  return { condition: hasStatus({ words: [...new Set(values)].sort() }), values: {} };
}

const isValue = fragment<{ value: boolean; of: Fragment<RawBuilder<unknown>> }, Condition>(
  ({ value, of }, param) => sql`${of.sql(param)} = ${sql.lit(value)}`,
);

export const isTrue =
  (of: Fragment<RawBuilder<unknown>>) =>
  (value: boolean): Filter => ({ condition: isValue({ value, of }), values: {} });

export const isAnyId = (column: string, values: string[]) => equalsAny(column, values, 'uuid');

type Comparison = '>=' | '<';

const timeName = (column: string, comparison: Comparison) => `${column} ${comparison}`;

const comparesTime = fragment<{ column: string; comparison: Comparison }, Condition>(
  ({ column, comparison }, param) =>
    sql`${sql.ref(column)} ${sql.raw(comparison)} ${param(timeName(column, comparison))}`,
);

export function compares(column: string, comparison: Comparison, time: string, now: Date): Filter {
  const values = { [timeName(column, comparison)]: timeAt(time, now) };
  return { condition: comparesTime({ column, comparison }), values };
}

/** Same expression as the index. */
export const equalsWithoutCase = fragment<TextShape, Condition>(({ column, isOne, of }, param) => {
  const value = of?.sql(param) ?? withoutCaseSql(sql.ref(column));
  return isOne
    ? sql`${value} = ${withoutCaseSql(sql`${param(column)}::text`)}`
    : sql`${value} = any(select ${withoutCaseSql(sql`wanted`)} from unnest(${param(column)}::text[]) as wanted)`;
});

function byEmail(values: string[]): Filter {
  return { condition: equalsWithoutCase({ column: 'email', isOne: false }), values: { email: values } };
}

/** Within one city, the index continues in the order of names. */
function equalsAnyWithoutCase(column: string, values: string[]): Filter {
  const isOne = values.length === 1;
  return {
    condition: equalsWithoutCase({ column, isOne }),
    ...(isOne && { one: column }),
    values: { [column]: isOne ? values[0] : values },
  };
}

const isInactiveSince = fragment((_, param) => {
  const isSince = comparesTime({ column: 'deactivated_at', comparison: '>=' });
  return sql<boolean>`status = 'inactive' and ${isSince.sql(param)}`;
});

function deactivatedSince(time: string, now: Date): Filter {
  const { values } = compares('deactivated_at', '>=', time, now);
  return { condition: isInactiveSince({}), values };
}

const isNot = fragment<{ of: Fragment<Condition> }, Condition>(
  ({ of }, param) => sql`(${of.sql(param)}) is not true`,
);

/** Rows that a filter leaves out, also because a value is missing. No index reads that in the order of the list. */
const negated = ({ condition, values }: Filter): Filter => ({ condition: isNot({ of: condition }), values });

type Stated = Omit<Filters, 'not'>;

const conditions: Conditions<{ [Name in keyof Stated]-?: NonNullable<Stated[Name]> }> = {
  q: fullText,
  status: byStatus,
  ids: (values) => isAnyId('id', values),
  email: byEmail,
  mlsId: (values) => equalsAny('mls_id', values),
  city: (values) => equalsAnyWithoutCase('address_city', values),
  region: (values) => equalsAny('address_region', values),
  postalCode: (values) => equalsAnyWithoutCase('address_postal_code', values),
  country: (values) => equalsAny('address_country', values),
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

export function filtersOf({ not = [], ...given }: Filters, own: object | undefined, asked: Asked): Filter[] {
  const known = { ...conditions, ...own } as Record<string, (value: unknown, asked: Asked) => Filter>;
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  return present.map(([name, value]) => {
    const condition = known[name];
    if (condition === undefined) throw new Error(`the list has no filter ${name}`);
    const filter = condition(value, asked);
    return not.includes(name) ? negated(filter) : filter;
  });
}

interface ItemFilter {
  derived: { table: string; owner: string; item: string };
  /** The table the IDs refer to, and its column that decides whether a record is within a limit. */
  of: { table: string; limitColumn: string };
  ids: string[];
  /** Whether the access is limited: items that refer to records out of the limit don't match. */
  isLimited: boolean;
}

const hasItem = fragment<Required<Pick<ItemFilter, 'derived' | 'of' | 'isLimited'>>, Condition>(
  ({ derived, of, isLimited }, param) => {
    const column = (name: string) => sql.ref(`${derived.table}.${name}`);
    const visible = () => {
      const isSeen = isWithin(sql.ref(`${of.table}.${of.limitColumn}`), param(LIMIT_OFFICES));
      return sql`
    join ${sql.table(of.table)} on ${sql.ref(`${of.table}.id`)} = ${column(derived.item)} and ${isSeen}`;
    };
    return sql`id in (
      select ${column(derived.owner)} from ${sql.table(derived.table)} ${isLimited ? visible() : sql``}
      where ${column(derived.item)} = any(${param('items')}::uuid[]))`;
  },
);

export function byItems({ derived, of, ids, isLimited }: ItemFilter): Filter {
  return { condition: hasItem({ derived, of, isLimited }), values: { items: ids } };
}
