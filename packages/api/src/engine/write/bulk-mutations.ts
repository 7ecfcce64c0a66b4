import { type Database, fragment } from '@roster/db';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Reference, ResourceDefinition } from '../definition.ts';
import { type OfficeLimit, officesValue } from '../office-limit.ts';
import { type ChangeCause, causeColumns, insertEvents, previousValues } from '../outbox/event-outbox.ts';
import { withoutCaseSql } from '../sameness/sql.ts';
import type { Expressions, valuesOf } from '../sql/column-mapping.ts';
import {
  rejectionError,
  rejectionOf,
  rejectionValues,
  withHiddenItems,
  withOtherItems,
} from './references.ts';

/** Records are one JSON parameter, so the text of a statement does not depend on their number. */

export interface BatchRow {
  id: string;
  /** Whether items are added to the record's lists instead of replacing them. */
  addsItems?: boolean;
  columns: ReturnType<typeof valuesOf>;
}

export interface Batch {
  rows: BatchRow[];
  columns: string[];
  limit?: OfficeLimit | undefined;
}

type MergeVerb = 'updated' | 'deactivated' | 'reactivated' | 'transferred';

export interface MergedRecord {
  id: string;
  version: number;
}

type Parts = Pick<ResourceDefinition, 'table' | 'record' | 'computed' | 'references'>;

/** A null in a merge patch removes a pair, so a new record leaves it out. */
function withoutNullPairs({ metadata, ...columns }: BatchRow['columns']): BatchRow['columns'] {
  if (metadata === null || metadata === undefined) return columns;
  const pairs = Object.entries(metadata).filter(([, value]) => value !== null);
  return { ...columns, metadata: Object.fromEntries(pairs) };
}

/** New records (active, version 1) or restored ones (all columns given). Throws violated constraints. */
export async function insertRecords<Row extends { id: string }>(
  trx: Transaction<Database>,
  { table, record, computed, uniqueBy }: ResourceDefinition<Row>,
  { rows, columns, verb = 'created', cause }: Batch & { verb?: 'created' | 'restored'; cause: ChangeCause },
): Promise<void> {
  const { now } = cause;
  const name = sql.table(table);
  const values = columns.map((column) => {
    if (column === 'metadata') return sql`coalesce(merged.metadata, '{}')`;
    return computed?.[column] ?? sql.ref(`merged.${column}`);
  });
  const times = ['created_at', 'updated_at', 'status_changed_at'].filter((time) => !columns.includes(time));
  const names = ['id', ...times, ...columns].map((column) => sql.ref(column));
  const records = rows.map((row) => ({ id: row.id, ...withoutNullPairs(row.columns) }));
  const keys = ['source_name', 'source_key', ...(uniqueBy.includes('email') ? ['email'] : []), 'id'];
  // In key order, so that concurrent batches of the same records can't deadlock.
  await sql`
    with event_rows as (
      insert into ${name} (${sql.join(names)})
      select ${sql.join([sql.ref('merged.id'), ...times.map(() => sql`${now}::timestamptz`), ...values])}
      from json_populate_recordset(null::${name}, ${JSON.stringify(records)}::json) as merged
      order by ${sql.join(keys.map((key) => sql.ref(`merged.${key}`)))}
      returning id, version, ${record} as record, '{}'::json as previous
    ) ${insertEvents({ table, verb, cause: causeColumns(cause) })}`.execute(trx);
}

interface Merging {
  limit: OfficeLimit | undefined;
  addsItems: boolean;
}

function mergedList(
  reference: Reference,
  { column, limit, addsItems }: Merging & { column: string },
): RawBuilder<unknown> {
  const lists = { given: sql.ref(`merged.${column}`), held: sql.ref(`target.${column}`) };
  const replaced =
    limit === undefined
      ? lists.given
      : withHiddenItems(reference, { ...lists, offices: sql`${officesValue(limit)}` });
  if (!addsItems) return replaced;
  return sql`case when given."addsItems" then ${withOtherItems(reference, lists)} else ${replaced} end`;
}

function mergedValue(
  column: string,
  { computed, references }: Pick<Parts, 'computed' | 'references'>,
  { limit, addsItems }: Merging,
): RawBuilder<unknown> {
  if (column === 'metadata') {
    return sql`
      case jsonb_typeof(given.columns -> 'metadata')
        when 'object' then jsonb_strip_nulls(target.metadata || (given.columns -> 'metadata'))
        when 'null' then '{}' else target.metadata end`;
  }
  const reference = references[column];
  const merged = sql.ref(`merged.${column}`);
  const list = reference?.items && mergedList(reference, { column, limit, addsItems });
  const value = computed?.[column];
  if (value === undefined) return list ?? merged;
  return sql`case when given.columns ? ${sql.lit(column)} then ${value} else ${list ?? merged} end`;
}

function mergedParts(resource: Parts, { rows, columns, limit }: Batch): RawBuilder<unknown> {
  const { table, record } = resource;
  const name = sql.table(table);
  const addsItems = rows.some((row) => row.addsItems);
  const values = columns.map(
    (column) => sql`${mergedValue(column, resource, { limit, addsItems })} as ${sql.ref(column)}`,
  );
  const flag = addsItems ? sql`, "addsItems" boolean` : sql``;
  return sql`
    given as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (id uuid, columns jsonb${flag})
    ), target as (
      select ${name}.*, ${name} as whole, ${record} as was from ${name} where id in (select id from given)
      order by id for no key update
    ), wanted as (
      select target.id, ${sql.join(values)}
      from target join given using (id)
        cross join lateral jsonb_populate_record(target.whole, given.columns - 'metadata') as merged
    )`;
}

function isDistinct(columns: string[]): RawBuilder<boolean> {
  const of = (row: string) => sql.join(columns.map((column) => sql.ref(`${row}.${column}`)));
  return sql`(${of('wanted')}) is distinct from (${of('target')})`;
}

const wantedValue = fragment<{ column: string; isPartlyHidden: boolean }>(({ column, isPartlyHidden }) => {
  const value = sql.ref(`wanted.${column}`);
  return isPartlyHidden ? sql`case when given.columns ? ${sql.lit(column)} then ${value} end` : value;
});

/** Throws `insufficient_scope` or `reference_not_found`. The records stay locked. */
export async function checkMergedReferences(
  trx: Transaction<Database>,
  resource: ResourceDefinition,
  { limit, ...batch }: Batch & { limit: OfficeLimit },
): Promise<void> {
  const given = rejectionValues(limit);
  const { references } = resource;
  const rejection = rejectionOf(resource, {
    columns: batch.columns.map((column) => ({
      column,
      // A list that a row does not contain keeps its hidden items.
      by: wantedValue({ column, isPartlyHidden: references[column]?.items?.areHiddenOutside === true }),
    })),
    param: (name) => sql`${given[name]}`,
    isChange: true,
  });
  if (rejection === undefined) return;
  const { rows } = await sql<{ rejection: string }>`
    with ${mergedParts(resource, batch)}
    select rejection from (
      select ${rejection} as rejection from target join wanted using (id) join given using (id)
    ) as checked
    where rejection is not null limit 1`.execute(trx);
  if (rows[0] !== undefined) throw rejectionError(rows[0].rejection, resource);
}

interface Merge extends Batch {
  verb?: MergeVerb;
  cause: ChangeCause;
  /** The records that the transaction changes in several calls, and settles at its end (`settleEmails`). */
  together?: readonly string[] | undefined;
}

/**
 * Whether a record takes the email address of one that changes with it. A unique index compares each row at once, so the
 * address is moving until all have changed.
 */
function isEmailMoving(table: string, together: readonly string[]): RawBuilder<boolean> {
  return sql`(target.is_email_moving or wanted.email is distinct from target.email) and exists (
    select from ${sql.table(table)} as holder
    where ${withoutCaseSql(sql`holder.email`)} = ${withoutCaseSql(sql`wanted.email`)}
      and not holder.is_email_moving and holder.id <> wanted.id and holder.id = any(${together}::uuid[])
  )`;
}

/** Compares the email addresses that have moved with all others. Throws a violation if one is taken. */
export async function settleEmails(
  trx: Transaction<Database>,
  { table, uniqueBy }: Pick<ResourceDefinition, 'table' | 'uniqueBy'>,
  ids: readonly string[],
): Promise<void> {
  if (!uniqueBy.includes('email') || ids.length === 0) return;
  await sql`
    update ${sql.table(table)} set is_email_moving = false where id = any(${ids}::uuid[]) and is_email_moving`.execute(
    trx,
  );
}

/**
 * RFC 7396. Returns the records that changed. They can take each other's email addresses. Throws the error of a violated
 * constraint.
 */
export async function mergeRecords<Row extends { id: string }>(
  trx: Transaction<Database>,
  resource: ResourceDefinition<Row>,
  { verb = 'updated', cause, together, ...batch }: Merge,
): Promise<MergedRecord[]> {
  const { table, record, sideEffects, uniqueBy } = resource;
  const { columns } = batch;
  const { now } = cause;
  const name = sql.table(table);
  const wanted: Expressions = Object.fromEntries(
    columns.map((column) => [column, sql.ref(`wanted.${column}`)]),
  );
  const ids = together ?? batch.rows.map(({ id }) => id);
  const canMove = uniqueBy.includes('email') && columns.includes('email');
  const all: Expressions = {
    ...wanted,
    ...sideEffects?.(wanted, sql`${now}`),
    ...(canMove && { is_email_moving: isEmailMoving(table, ids) }),
  };
  const set = Object.entries(all).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  const { rows } = await sql<MergedRecord & { isMoving: boolean }>`
    with ${mergedParts(resource, batch)}, changed as (
      update ${name}
      set ${sql.join([...set, sql`version = target.version + 1`, sql`updated_at = greatest(${now}, target.updated_at)`])}
      from target join wanted using (id)
      where ${name}.id = target.id and ${isDistinct(columns)}
      returning ${name}.id, ${name}.version, ${record} as record, target.was,
        ${canMove ? sql`${name}.is_email_moving` : sql`false`} as is_moving
    ), event_rows as materialized (
      select id, version, record, ${previousValues(sql`was`, sql`record`)} as previous, is_moving from changed
    ), written as (${insertEvents({ table, verb, cause: causeColumns(cause) })})
    select id, version, is_moving as "isMoving" from event_rows`.execute(trx);
  const moved = rows.filter(({ isMoving }) => isMoving).map(({ id }) => id);
  if (together === undefined) await settleEmails(trx, resource, moved);
  return rows;
}
