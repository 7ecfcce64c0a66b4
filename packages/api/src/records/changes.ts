import type { Database } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Precondition } from '../context.ts';
import { type Cause, previousValues, writeEvents } from '../events/log.ts';
import type { Collection } from './collection.ts';
import type { Columns } from './columns.ts';

/** A record after a request to change it, and whether anything did change. */
export interface Changed<Row> {
  record: Row;
  isChanged: boolean;
}

/** Everything here is one statement, alone or in the caller's transaction. */
type Db = Kysely<Database>;

/** Inserts a record with its event, and answers it. Throws what a constraint refuses. */
export async function insertRecord<Row extends { id: string }>(
  db: Db,
  { table, record }: Collection<Row>,
  { columns, verb, cause }: { columns: Columns; verb: 'created' | 'restored'; cause: Cause },
): Promise<Row> {
  const names = Object.keys(columns).map((name) => sql.ref(name));
  const { rows } = await sql<{ record: Row }>`
    with changed as (
      insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(Object.values(columns))}) returning *
    ), logged as materialized (
      select id, version, ${record} as record, '{}'::json as previous from changed as ${sql.table(table)}
    ), written as (${writeEvents({ table, verb, cause })})
    select record from logged`.execute(db);
  const [inserted] = rows;
  if (inserted === undefined) throw new Error('an insert answered no row');
  return inserted.record;
}

interface Change {
  /** Which records, in terms of the row's columns. */
  where: RawBuilder<boolean>;
  /** New values; they may refer to the row as it was, named `target`. */
  columns: Columns;
  /** When it counts as a change; without it, when any of the columns gets another value. */
  when?: RawBuilder<boolean>;
  /** Versions of which the record must have one; without it, or with 'any', any will do. */
  versions?: Precondition | undefined;
  verb: 'updated' | 'deactivated' | 'reactivated';
  cause: Cause;
}

/** Whether any column gets another value: a change that changes nothing makes no version. */
function isDistinct(columns: Columns): RawBuilder<boolean> {
  const names = Object.keys(columns).map((name) => sql.ref(`target.${name}`));
  return sql`(${sql.join(names)}) is distinct from (${sql.join(Object.values(columns))})`;
}

/** The condition that a record has one of some versions, which may be beyond int; nothing where any will do. */
function ofVersion(column: string, versions: Precondition | undefined): RawBuilder<unknown> {
  if (versions === undefined || versions === 'any') return sql``;
  return sql` and ${sql.ref(column)} = any(${versions}::bigint[])`;
}

/**
 * Changes records, each with its event, and answers them all, those that were already as asked unchanged. The rows
 * are locked in the order of their ids before they are read, so that what is compared is what is changed, and two
 * changes of several records cannot wait for each other.
 */
export async function changeRecords<Row extends { id: string }>(
  db: Db,
  { table, record, consequences }: Collection<Row>,
  { where, columns, when, versions, verb, cause }: Change,
): Promise<Changed<Row>[]> {
  const name = sql.table(table);
  const { now } = cause;
  const set = Object.entries({ ...columns, ...consequences?.(columns, now) }).map(
    ([column, value]) => sql`${sql.ref(column)} = ${value}`,
  );
  const { rows } = await sql<Changed<Row>>`
    with target as (
      select * from ${name} where ${where} order by id for no key update
    ), changed as (
      update ${name}
      set ${sql.join([...set, sql`version = target.version + 1`, sql`updated_at = greatest(${now}, target.updated_at)`])}
      from target
      where ${name}.id = target.id and ${when ?? isDistinct(columns)}${ofVersion('target.version', versions)}
      returning ${name}.*
    ), before as (
      select id, ${record} as record from target as ${name}
    ), after as (
      select id, version, ${record} as record from changed as ${name}
    ), logged as materialized (
      select after.*, ${previousValues(sql`before.record`, sql`after.record`)} as previous
      from after join before using (id)
    ), written as (${writeEvents({ table, verb, cause })})
    select record, true as "isChanged" from logged
    union all
    select record, false from before where id not in (select id from changed)`.execute(db);
  return rows;
}

interface Deletion {
  id: string;
  versions?: Precondition | undefined;
  cause: Cause;
}

/** Deletes a record with its event, and keeps its last state as a tombstone. Returns undefined where there is none. */
export async function deleteRecord<Row extends { id: string }>(
  db: Db,
  { name, table, record }: Collection<Row>,
  { id, versions, cause }: Deletion,
): Promise<Row | undefined> {
  const { rows } = await sql<{ record: Row }>`
    with gone as (
      delete from ${sql.table(table)} where id = ${id}${ofVersion('version', versions)} returning *
    ), logged as materialized (
      select id, version, ${record} as record, '{}'::json as previous from gone as ${sql.table(table)}
    ), kept as (
      insert into tombstone (collection, id, record, deleted_at) select ${name}, id, record, ${cause.now} from logged
    ), written as (${writeEvents({ table, verb: 'deleted', cause })})
    select record from logged`.execute(db);
  return rows[0]?.record;
}

/** Counts what keeps a record from being deleted, by kind; kinds without any are left out. */
export async function countDependents(
  db: Db,
  { dependents }: Pick<Collection, 'dependents'>,
  id: string,
): Promise<Record<string, number>> {
  const { rows } = await sql<{ counts: Record<string, number> }>`select ${dependents(id)} as counts`.execute(
    db,
  );
  return Object.fromEntries(Object.entries(rows[0]?.counts ?? {}).filter(([, count]) => count > 0));
}
