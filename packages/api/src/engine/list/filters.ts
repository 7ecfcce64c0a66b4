import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { ADMIN_KEY_ID } from '../actor.ts';
import { dayAt, timeAt } from '../fields/relative-time.ts';
import { licenseNumberKeysSql, withoutCaseSql } from '../sameness/sql.ts';
import { fullText, type Reading, type Search } from '../search/search.ts';
import type { Param } from '../sql/column-mapping.ts';
import { type Condition, type Filter, isNotMerged } from '../sql/filter.ts';
import { byEmptiness, type EmptinessField } from './emptiness.ts';
import { byItems, type ItemFilter } from './item-filter.ts';
import { byLicenseExpiryBefore, byLicenseExpirySince } from './license-expiry.ts';
import { byPair, type PairFilter } from './pair-filter.ts';
import type { fieldFilterQuery, filterQueryOf, licenseFilterQuery } from './parameters.ts';

/** The filters that every list has, and those of one resource. */
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
  officeId?: string[] | undefined;
  /** Agents whose primary or affiliated office is one of these. */
  anyOfficeId?: string[] | undefined;
  mainOfficeId?: string[] | undefined;
  /** Records with an item in a list that names one of these records. */
  items?: ItemFilter | undefined;
  webhookId?: string | undefined;
  empty?: EmptinessField[] | undefined;
  notEmpty?: EmptinessField[] | undefined;
  subject?: string[] | undefined;
  resource?: string[] | undefined;
  change?: string[] | undefined;
  effectiveSince?: string | undefined;
  effectiveBefore?: string | undefined;
  jobId?: string | undefined;
  importId?: string | undefined;
  /** Rows of an import with one of these outcomes. */
  outcome?: string[] | undefined;
  /** Rows of an import that are suspicious in one of these ways. */
  suspicious?: string[] | undefined;
  /** Rows of an import that look like a record that is there, or the others. */
  looksLike?: boolean | undefined;
  /** Jobs that import a file. */
  isImport?: true | undefined;
  personId?: string | undefined;
  keyId?: string | undefined;
  /** Sessions that have neither ended nor expired. */
  isLive?: true | undefined;
  /** Invitations whose link works, or does not any more. */
  isOpen?: boolean | undefined;
  isShared?: boolean | undefined;
  /** Deleted records of these resources, and those that were deleted at this time or later. */
  collection?: string[] | undefined;
  deletedSince?: string | undefined;
  /** Deleted records that were not merged into others. */
  isRestorable?: true | undefined;
  /** Views that are shared, and those of this key or person. */
  visibleTo?: string | undefined;
  /** Pairs of records that may be the same. */
  pair?: PairFilter | undefined;
};

/** A single value is compared with `=`: only then can PostgreSQL read an index on the column and the sort in order. */
function equalsAny(column: string, values: string[], type = 'text'): Filter {
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
const isTrue =
  (expression: RawBuilder<unknown>) =>
  (value: boolean): Filter => ({
    shape: String(value),
    condition: () => sql`${expression} = ${sql.lit(value)}`,
    values: {},
  });

const isAnyId = (column: string, values: string[]) => equalsAny(column, values, 'uuid');

/**
 * Agents whose primary or affiliated office is one of these. An affiliation is never with the primary office, but of several
 * offices an agent may be affiliated with more than one.
 */
function ofAnyOffice(ids: string[]): Filter {
  const primary = isAnyId('office_id', ids);
  const wanted = (param: Param) => sql`any(${param('office_id')}::uuid[])`;
  if (primary.one === undefined) {
    const affiliated = (param: Param) =>
      sql`id in (select agent_id from agent_affiliation where affiliated_office_id = ${wanted(param)})`;
    const others = (param: Param): Condition =>
      sql`${affiliated(param)} and (office_id = ${wanted(param)}) is not true`;
    const condition = (param: Param): Condition =>
      sql`(office_id = ${wanted(param)} or ${affiliated(param)})`;
    return { ...primary, condition, parts: [primary, { condition: others }] };
  }
  const one = (param: Param) => sql`${param('office_id')}::uuid`;
  return {
    ...primary,
    condition: (param) => sql`(
      office_id = ${one(param)}
      or id in (select agent_id from agent_affiliation where affiliated_office_id = ${one(param)}))`,
    parts: [
      primary,
      {
        join: sql`join agent_affiliation on agent_affiliation.agent_id = agent.id`,
        condition: (param) => sql`affiliated_office_id = ${one(param)}`,
        sameColumns: { created_at: 'agent_created_at', id: 'agent_id' },
      },
    ],
  };
}

/** Compares a column with a time, which may be relative to that of the request. */
function compares(column: string, comparison: '>=' | '<', time: string, now: Date): Filter {
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

/** Sessions of a key; that of ROSTER_ADMIN_KEY has no row. */
function ofKey(id: string): Filter {
  if (id !== ADMIN_KEY_ID) return isAnyId('key_id', [id]);
  return { shape: 'admin', condition: () => sql`admin_key_hash is not null`, values: {} };
}

/** One condition for each filter there is; a filter that was not given adds none. */
const filterOf: { [Name in keyof Filters]-?: (value: NonNullable<Filters[Name]>, now: Date) => Filter } = {
  q: fullText,
  status: byStatus,
  ids: (values) => isAnyId('id', values),
  officeId: (values) => isAnyId('office_id', values),
  anyOfficeId: ofAnyOffice,
  mainOfficeId: (values) => isAnyId('main_office_id', values),
  items: byItems,
  email: byEmail,
  webhookId: (id) => isAnyId('webhook_id', [id]),
  jobId: (id) => isAnyId('job_id', [id]),
  importId: (id) => isAnyId('import_id', [id]),
  outcome: (values) => equalsAny('outcome', values),
  suspicious: (values) => ({
    condition: (param) => sql`suspicious && ${param('suspicious')}::text[]`,
    values: { suspicious: values },
  }),
  looksLike: isTrue(sql`(json_array_length(look_alikes) > 0)`),
  isImport: () => ({ condition: () => sql`change ->> 'type' = 'import'`, values: {} }),
  personId: (id) => isAnyId('person_id', [id]),
  keyId: ofKey,
  isLive: () => ({ condition: () => sql`ended_at is null and expires_at > now()`, values: {} }),
  isOpen: isTrue(sql`(accepted_at is null and revoked_at is null and expires_at > now())`),
  collection: (values) => equalsAny('collection', values),
  deletedSince: (time, now) => compares('deleted_at', '>=', time, now),
  isRestorable: () => ({ condition: () => isNotMerged, values: {} }),
  isShared: isTrue(sql`is_shared`),
  visibleTo: (id) => ({
    condition: (param) => sql`(is_shared or created_by = ${param('created_by')}::uuid)`,
    values: { created_by: id },
  }),
  pair: byPair,
  mlsId: (values) => equalsAny('mls_id', values),
  city: byCity,
  region: (values) => equalsAny('address_region', values),
  country: (values) => equalsAny('address_country', values),
  licenseNumber: byLicense,
  licenseExpiresSince: (day, now) => byLicenseExpirySince(dayAt(day, now)),
  licenseExpiresBefore: (day, now) => byLicenseExpiryBefore(dayAt(day, now)),
  sourceName: (values) => equalsAny('source_name', values),
  sourceKey: (values) => equalsAny('source_key', values),
  createdSince: (time, now) => compares('created_at', '>=', time, now),
  createdBefore: (time, now) => compares('created_at', '<', time, now),
  updatedSince: (time, now) => compares('updated_at', '>=', time, now),
  updatedBefore: (time, now) => compares('updated_at', '<', time, now),
  deactivatedSince,
  empty: (fields) => byEmptiness(fields, 'isEmpty'),
  notEmpty: (fields) => byEmptiness(fields, 'hasValue'),
  subject: (values) => isAnyId('subject_id', values),
  resource: (values) => equalsAny('resource', values),
  change: (values) => equalsAny('change', values),
  effectiveSince: (time, now) => compares('effective_at', '>=', time, now),
  effectiveBefore: (time, now) => compares('effective_at', '<', time, now),
};

/** The filters that were given, and what tells the text of their conditions from others. Relative times count from `now`. */
export function filtersOf(
  given: Filters,
  { isLimited, now }: { isLimited: boolean; now: Date },
): { shape: string; filters: Filter[] } {
  const { items } = given;
  const all: Filters = items === undefined ? given : { ...given, items: { ...items, isLimited } };
  const present = Object.entries(all).filter(([, value]) => value !== undefined);
  const filters = present.map(([name, value]) =>
    (filterOf[name as keyof Filters] as (value: unknown, now: Date) => Filter)(value, now),
  );
  return { shape: present.map(([name], index) => `${name}${filters[index]?.shape ?? ''}`).join(), filters };
}
