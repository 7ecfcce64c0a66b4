import { type Database, type Fragment, fragment, statement } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { ResourceDefinition } from '../definition.ts';
import { RawJson } from '../json/raw-json.ts';
import type { OfficeLimit } from '../office-limit.ts';
import {
  type ChangeCause,
  causeColumns,
  type EventVerb,
  insertEvents,
  previousValues,
} from '../outbox/event-outbox.ts';
import {
  type Columns,
  type Expressions,
  type Param,
  paramValues,
  toExpressions,
  type WrittenColumn,
  written,
} from '../sql/column-mapping.ts';
import type { Condition } from '../sql/filter.ts';
import { andMeets, limitFilter } from '../sql/limited-rows.ts';
import { type Precondition, versionTest } from './precondition.ts';
import {
  checkNewReferences,
  keepHiddenItems,
  rejectionError,
  rejectionParts,
  rejectionValues,
} from './references.ts';

export interface MutationResult<Row> {
  record: Row;
  isChanged: boolean;
}

interface EncodedResult<Row> extends MutationResult<RawJson<Row>> {
  version: number;
}

/** Statements are compiled once for each set of columns. Parameters of columns are named after them. */
type Db = Kysely<Database>;

/** The limit of the access; undefined for everything, and for the service itself. */
export interface Limited {
  limit: OfficeLimit | undefined;
}

/** The record is JSON text. */
interface ChangedRow extends MutationResult<string> {
  version: string;
  rejection?: string | null;
}

function causeParams(param: Param) {
  const now = param('cause_now') as RawBuilder<Date>;
  return {
    now,
    actorId: param('cause_actor_id'),
    requestId: param('cause_request_id'),
    reason: param('cause_reason'),
    details: param('cause_details'),
  };
}

function causeValues(cause: ChangeCause): Record<string, unknown> {
  const { now, actorId, requestId, reason, details } = causeColumns(cause);
  return {
    cause_now: now,
    cause_actor_id: actorId,
    cause_request_id: requestId,
    cause_reason: reason,
    cause_details: details,
  };
}

interface Insertion extends Limited {
  columns: Columns;
  verb: 'created' | 'restored';
  cause: ChangeCause;
}

interface InsertShape extends Pick<Insertion, 'verb'> {
  resource: ResourceDefinition;
  columns: readonly WrittenColumn[];
}

const insertStatement = statement<InsertShape, { record: string; id: string; version: string }>(
  ({ resource: { table, record }, verb, columns }, param) => {
    const names = columns.map(({ column }) => sql.ref(column));
    const expressions = Object.values(toExpressions(columns, param));
    return sql`
      with event_rows as (
        insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(expressions)})
        returning id, version, ${record} as record, '{}'::json as previous
      ), written as (${insertEvents({ table, verb, cause: causeParams(param) })})
      select record::text as record, id, version from event_rows`;
  },
  { lane: 'changes' },
);

/** Throws violated constraints and, for a new record, `insufficient_scope` or `reference_not_found`. */
export async function insertRecord<Row extends { id: string }>(
  db: Db,
  resource: ResourceDefinition<Row>,
  { columns, verb, cause, limit }: Insertion,
): Promise<RawJson<Row>> {
  const values = paramValues(columns);
  if (limit !== undefined && verb === 'created')
    await checkNewReferences(db, resource, { columns, values, limit });
  const insert = insertStatement({ resource, verb, columns: written(columns) });
  const [inserted] = await insert.execute(db, { ...values, ...causeValues(cause) });
  if (inserted === undefined) throw new Error('an insert returned no row');
  const { record, id, version } = inserted;
  return new RawJson([record], { id, version: Number(version) });
}

interface Selection {
  where: Fragment<Condition>;
  values: Record<string, unknown>;
}

const hasId = fragment((_, param) => sql<boolean>`id = ${param('selected_id')}`)({});
const hasAnyId = fragment((_, param) => sql<boolean>`id = any(${param('selected_ids')}::uuid[])`)({});

export function byId(id: string): Selection {
  return { where: hasId, values: { selected_id: id } };
}

export function byIds(ids: readonly string[]): Selection {
  return { where: hasAnyId, values: { selected_ids: ids } };
}

export const always = fragment(() => sql<boolean>`true`)({});

export interface Change extends Limited {
  selection: Selection;
  columns: Columns;
  when?: Fragment<Condition> | undefined;
  precondition?: Precondition | undefined;
  verb: Exclude<EventVerb, 'created' | 'deleted' | 'restored' | 'purged'>;
  cause: ChangeCause;
}

/** A change without a difference makes no version. */
function isDistinct(columns: readonly WrittenColumn[], param: Param): RawBuilder<boolean> {
  const names = columns.map(({ column }) => sql.ref(`target.${column}`));
  // A merge patch can write no column: `{ "address": {} }`.
  if (names.length === 0) return sql`false`;
  return sql`(${sql.join(names)}) is distinct from (${sql.join(Object.values(toExpressions(columns, param)))})`;
}

/** Only the columns of the existing row that a change needs; all would make the statement slower. */
function readColumns(columns: readonly WrittenColumn[], set: Expressions): RawBuilder<unknown> {
  const read = columns.flatMap(({ reads = [] }) => reads);
  const names = new Set(['id', 'version', 'updated_at', ...Object.keys(set), ...read]);
  return sql.join([...names].map((name) => sql.ref(name)));
}

interface ChangeShape extends Pick<Change, 'verb' | 'when'> {
  resource: ResourceDefinition;
  columns: readonly WrittenColumn[];
  where: Fragment<Condition>;
  versions: Precondition['kind'] | undefined;
  within: Fragment<Condition> | undefined;
}

/** The change of one record is short. */
function laneOf({ where }: Pick<ChangeShape, 'where'>): { lane?: 'changes' } {
  return where === hasId ? { lane: 'changes' } : {};
}

const changeStatement = statement<ChangeShape, ChangedRow>(
  ({ resource, columns, verb, when, where, versions, within }, param) => {
    const { table, record, sideEffects } = resource;
    const name = sql.table(table);
    const params = causeParams(param);
    const { now } = params;
    const wanted = toExpressions(columns, param);
    const all = { ...wanted, ...sideEffects?.(wanted, now) };
    const set = Object.entries(all).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
    const isChange = when?.sql(param) ?? isDistinct(columns, param);
    const isExpected = versionTest(versions, 'target.version', param);
    const rejected = within && rejectionParts(resource, { columns, param, isExpected });
    return sql`
    with target as (
      select ${readColumns(columns, all)}, ${record} as was from ${name} where ${where.sql(param)}${andMeets(within, param)} order by id for no key update
    )${rejected?.rows ?? sql``}, changed as (
      update ${name}
      set ${sql.join([...set, sql`version = target.version + 1`, sql`updated_at = greatest(${now}, target.updated_at)`])}
      from target
      where ${name}.id = target.id and ${isChange}${isExpected}${rejected?.isNone ?? sql``}
      returning ${name}.id, ${name}.version, ${record} as record, target.was
    ), event_rows as materialized (
      select id, version, record, ${previousValues(sql`was`, sql`record`)} as previous from changed
    ), written as (${insertEvents({ table, verb, cause: params })})
    select record::text as record, version, true as "isChanged"${rejected?.ofChanged ?? sql``} from event_rows
    union all
    select was::text, version, false${rejected?.ofOthers ?? sql``} from target where id not in (select id from changed)`;
  },
  laneOf,
);

/**
 * Changes records within the limit, each with its event, and returns all of them, including unchanged ones.
 * Rows are locked in ID order before they are read, so that the values compared are the ones changed and
 * concurrent changes can't deadlock. Throws `insufficient_scope` or `reference_not_found`, without any
 * change, if a record would leave the limit or refer out of it.
 */
export async function changeRecords<Row extends { id: string }>(
  db: Db,
  resource: ResourceDefinition<Row>,
  change: Change,
): Promise<MutationResult<Row>[]> {
  const results = await changeEncodedRecords(db, resource, change);
  return results.map(({ record, isChanged }) => ({ record: record.decode(), isChanged }));
}

/** As `changeRecords`, with the JSON of PostgreSQL. */
export async function changeEncodedRecords<Row extends { id: string }>(
  db: Db,
  resource: ResourceDefinition<Row>,
  { selection, columns: given, when, verb, cause, limit, precondition }: Change,
): Promise<EncodedResult<Row>[]> {
  const columns = keepHiddenItems(resource, given, limit);
  const statement = changeStatement({
    resource,
    columns: written(columns),
    verb,
    when,
    where: selection.where,
    versions: precondition?.kind,
    within: limitFilter(resource, limit)?.condition,
  });
  const values = {
    ...paramValues(columns),
    ...causeValues(cause),
    ...selection.values,
    ...(limit && rejectionValues(limit)),
    expected_versions: precondition?.versions,
  };
  const rows = await statement.execute(db, values);
  const rejection = rows.find((row) => typeof row.rejection === 'string')?.rejection;
  if (typeof rejection === 'string') throw rejectionError(rejection, resource);
  return rows.map(({ record, isChanged, ...row }) => {
    const version = Number(row.version);
    return { record: new RawJson<Row>([record], { version }), version, isChanged };
  });
}

interface Deletion extends Limited {
  precondition?: Precondition | undefined;
  cause: ChangeCause;
}

interface DeleteShape extends Pick<ChangeShape, 'resource' | 'where' | 'versions' | 'within'> {}

const deleteStatement = statement<DeleteShape, { record: unknown }>(
  ({ resource: { name: collection, table, record }, where, versions, within }, param) => {
    const params = causeParams(param);
    const name = sql.table(table);
    const selected = sql`${where.sql(param)}${andMeets(within, param)}`;
    const isSelected =
      where === hasId
        ? selected
        : sql`id = any(array(select id from ${name} where ${selected} order by id for update))`;
    return sql`
    with event_rows as (
      delete from ${name} where ${isSelected}${versionTest(versions, 'version', param)}
      returning id, version, ${record} as record, '{}'::json as previous
    ), entombed as (
      insert into tombstone (collection, id, record, deleted_at)
      select ${sql.lit(collection)}, id, record, ${params.now} from event_rows
    ), written as (${insertEvents({ table, verb: 'deleted', cause: params })})
    select record from event_rows`;
  },
  laneOf,
);

/** Inserts tombstones and events, and returns the last states. Locks several rows in ID order. */
export async function deleteRecords<Row extends { id: string }>(
  db: Db,
  resource: ResourceDefinition<Row>,
  { selection, cause, limit, precondition }: Deletion & { selection: Selection },
): Promise<Row[]> {
  const within = limitFilter(resource, limit);
  const statement = deleteStatement({
    resource,
    where: selection.where,
    versions: precondition?.kind,
    within: within?.condition,
  });
  const values = {
    ...causeValues(cause),
    ...selection.values,
    ...within?.values,
    expected_versions: precondition?.versions,
  };
  return (await statement.execute(db, values)).map((row) => row.record as Row);
}

export async function deleteRecord<Row extends { id: string }>(
  db: Db,
  resource: ResourceDefinition<Row>,
  { id, ...deletion }: Deletion & { id: string },
): Promise<Row | undefined> {
  const [deleted] = await deleteRecords(db, resource, { selection: byId(id), ...deletion });
  return deleted;
}
