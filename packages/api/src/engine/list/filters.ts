import { fragment } from '@roster/db';
import { sql } from 'kysely';
import type { z } from 'zod';
import { ADMIN_KEY_ID } from '../actor.ts';
import { dayAt, timeAt } from '../fields/relative-time.ts';
import { licenseNumberKeysSql, withoutCaseSql } from '../sameness/sql.ts';
import { fullText, type Reading, type Search } from '../search/search.ts';
import { type Condition, type Filter, type FilterPart, isNotMerged } from '../sql/filter.ts';
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

interface ColumnShape {
  column: string;
  /** Whether it is compared with one value; otherwise with any of several. */
  isOne: boolean;
}

const equals = fragment<ColumnShape & { type: 'text' | 'uuid' }, Condition>(
  ({ column, isOne, type }, param) => {
    const value = sql`${param(column)}::${sql.raw(type)}${isOne ? sql`` : sql`[]`}`;
    return isOne ? sql`${sql.ref(column)} = ${value}` : sql`${sql.ref(column)} = any(${value})`;
  },
);

/** A single value is compared with `=`: only then can PostgreSQL read an index on the column and the sort in order. */
function equalsAny(column: string, values: string[], type: 'text' | 'uuid' = 'text'): Filter {
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

/**
 * The states are literals, not parameters: PostgreSQL knows how many rows have each, and would plan every request again if
 * they were parameters.
 */
function byStatus(values: string[]): Filter {
  return { condition: hasStatus({ words: [...new Set(values)].sort() }), values: {} };
}

/** Expressions that are true or false by themselves. */
const truths = {
  looksLike: sql`(json_array_length(look_alikes) > 0)`,
  isOpen: sql`(accepted_at is null and revoked_at is null and expires_at > now())`,
  isShared: sql`is_shared`,
};

const truth = fragment<{ name: keyof typeof truths; value: boolean }, Condition>(
  ({ name, value }) => sql`${truths[name]} = ${sql.lit(value)}`,
);

/** An expression is true, or not; neither is a parameter. */
const isTrue =
  (name: keyof typeof truths) =>
  (value: boolean): Filter => ({ condition: truth({ name, value }), values: {} });

const isAnyId = (column: string, values: string[]) => equalsAny(column, values, 'uuid');

const isOfOffice = fragment<{ isOne: boolean }, Condition>(({ isOne }, param) => {
  const wanted = param('office_id');
  if (isOne)
    return sql`(
      office_id = ${wanted}::uuid
      or id in (select agent_id from agent_affiliation where affiliated_office_id = ${wanted}::uuid))`;
  return sql`(office_id = any(${wanted}::uuid[])
    or id in (select agent_id from agent_affiliation where affiliated_office_id = any(${wanted}::uuid[])))`;
});

/** The agents whose primary office is one of these, and the others, who are affiliated with one. */
const partsOfOffice = fragment<{ isOne: boolean }, readonly FilterPart[]>(({ isOne }, param) => {
  const wanted = param('office_id');
  const primary = equals({ column: 'office_id', isOne, type: 'uuid' }).sql(param);
  if (!isOne) {
    const others = sql<boolean>`id in (
      select agent_id from agent_affiliation where affiliated_office_id = any(${wanted}::uuid[]))
      and (office_id = any(${wanted}::uuid[])) is not true`;
    return [{ condition: primary }, { condition: others }];
  }
  const affiliated = {
    join: sql`join agent_affiliation on agent_affiliation.agent_id = agent.id`,
    condition: sql<boolean>`affiliated_office_id = ${wanted}::uuid`,
    sameColumns: { created_at: 'agent_created_at', id: 'agent_id' },
  };
  return [{ condition: primary }, affiliated];
});

/**
 * Agents whose primary or affiliated office is one of these. An affiliation is never with the primary office, but of several
 * offices an agent may be affiliated with more than one.
 */
function ofAnyOffice(ids: string[]): Filter {
  const isOne = ids.length === 1;
  return {
    ...isAnyId('office_id', ids),
    condition: isOfOffice({ isOne }),
    parts: partsOfOffice({ isOne }),
  };
}

type Comparison = '>=' | '<';

const timeName = (column: string, comparison: Comparison) => `${column} ${comparison}`;

const comparesTime = fragment<{ column: string; comparison: Comparison }, Condition>(
  ({ column, comparison }, param) =>
    sql`${sql.ref(column)} ${sql.raw(comparison)} ${param(timeName(column, comparison))}`,
);

/** Compares a column with a time, which may be relative to that of the request. */
function compares(column: string, comparison: Comparison, time: string, now: Date): Filter {
  const values = { [timeName(column, comparison)]: timeAt(time, now) };
  return { condition: comparesTime({ column, comparison }), values };
}

const hasLicense = fragment(
  (_, param) =>
    sql<boolean>`${licenseNumberKeysSql(sql.ref('licenses'))} && ${licenseNumberKeysSql(sql`${param('licenses')}::jsonb`)}`,
);

/** Any of the licence numbers, in the words of the index on them. */
function byLicense(numbers: string[]): Filter {
  const licenses = JSON.stringify(numbers.map((number) => ({ number })));
  return { condition: hasLicense({}), values: { licenses } };
}

/** Ignoring case, in the words of the index. */
const equalsWithoutCase = fragment<ColumnShape, Condition>(({ column, isOne }, param) =>
  isOne
    ? sql`${withoutCaseSql(sql.ref(column))} = ${withoutCaseSql(sql`${param(column)}::text`)}`
    : sql`${withoutCaseSql(sql.ref(column))} = any(select ${withoutCaseSql(sql`wanted`)} from unnest(${param(column)}::text[]) as wanted)`,
);

function byEmail(values: string[]): Filter {
  return { condition: equalsWithoutCase({ column: 'email', isOne: false }), values: { email: values } };
}

/** Of one city the index goes on in the order of the names. */
function byCity(values: string[]): Filter {
  const column = 'address_city';
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

const isOfAdminKey = fragment(() => sql<boolean>`admin_key_hash is not null`);

/** Sessions of a key; that of ROSTER_ADMIN_KEY has no row. */
function ofKey(id: string): Filter {
  return id === ADMIN_KEY_ID ? { condition: isOfAdminKey({}), values: {} } : isAnyId('key_id', [id]);
}

const isSuspicious = fragment((_, param) => sql<boolean>`suspicious && ${param('suspicious')}::text[]`);
const isImport = fragment(() => sql<boolean>`change ->> 'type' = 'import'`);
const isLive = fragment(() => sql<boolean>`ended_at is null and expires_at > now()`);
const isRestorable = fragment(() => isNotMerged);
const isVisibleTo = fragment(
  (_, param) => sql<boolean>`(is_shared or created_by = ${param('created_by')}::uuid)`,
);

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
  suspicious: (values) => ({ condition: isSuspicious({}), values: { suspicious: values } }),
  looksLike: isTrue('looksLike'),
  isImport: () => ({ condition: isImport({}), values: {} }),
  personId: (id) => isAnyId('person_id', [id]),
  keyId: ofKey,
  isLive: () => ({ condition: isLive({}), values: {} }),
  isOpen: isTrue('isOpen'),
  collection: (values) => equalsAny('collection', values),
  deletedSince: (time, now) => compares('deleted_at', '>=', time, now),
  isRestorable: () => ({ condition: isRestorable({}), values: {} }),
  isShared: isTrue('isShared'),
  visibleTo: (id) => ({ condition: isVisibleTo({}), values: { created_by: id } }),
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

/** The filters that were given. Relative times count from `now`. */
export function filtersOf(given: Filters, { isLimited, now }: { isLimited: boolean; now: Date }): Filter[] {
  const { items } = given;
  const all: Filters = items === undefined ? given : { ...given, items: { ...items, isLimited } };
  const present = Object.entries(all).filter(([, value]) => value !== undefined);
  return present.map(([name, value]) =>
    (filterOf[name as keyof Filters] as (value: unknown, now: Date) => Filter)(value, now),
  );
}
