import { type Database, type RecordTable, statement } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { withVisibleItems } from '../access/visible-items.ts';
import { timeText } from '../engine/json/record-json.ts';
import { decodeCursor, encodeCursor } from '../engine/list/cursor.ts';
import { type OfficeLimit, officesValue } from '../engine/office-limit.ts';
import type { Param } from '../engine/sql/column-mapping.ts';
import type { Limited } from '../engine/write/mutations.ts';
import { RosterError } from '../errors/roster-error.ts';
import { andIsEventWithin, isEventWithin } from '../log/visibility.ts';
import type { Change, Json } from '../records/field-changes.ts';
import type { ChangeInfo } from './schemas.ts';

export interface RecordEvent extends Omit<ChangeInfo, 'merge'>, Pick<Change, 'record' | 'previous'> {
  id: string;
  isVisible?: boolean;
}

/** The end of the previous page. The position is null if that event had none yet. */
export interface HistoryPlace {
  id: string;
  position: number | null;
}

interface HistoryRead {
  table: RecordTable;
  subject: string;
  before?: HistoryPlace | undefined;
  limit: number;
  officeLimit: OfficeLimit | undefined;
  /** Includes events out of the limit, each with `isVisible`. */
  withHidden?: boolean;
  /** Includes the record in each event. Without it, many events are small. */
  hasRecords: boolean;
}

interface ReadShape {
  table: RecordTable;
  hasRecords: boolean;
  before: 'positioned' | 'unpositioned' | undefined;
  isLimited: boolean;
  withHidden: boolean;
}

function isBefore(before: ReadShape['before'], param: Param) {
  if (before === undefined) return sql``;
  const isNotLater = before === 'unpositioned' ? sql`` : sql`and position <= ${param('position')}::bigint`;
  return sql`and event.id < ${param('id')}::bigint ${isNotLater}`;
}

const readStatement = statement<ReadShape, RecordEvent>(
  ({ table, hasRecords, before, isLimited, withHidden }, param) => {
    const isVisible = isEventWithin(param('offices'));
    return sql`
    select event.id::text as id, position::float8 as position, type, version,
      ${timeText(sql<Date>`occurred_at`)} as "occurredAt", actor_id as "actorId", null::json as actor, null as "actorName",
      request_id as "requestId", reason, details, ${hasRecords ? sql`record` : sql`null::json as record`}, previous
      ${isLimited ? sql`, ${isVisible} as "isVisible"` : sql``}
    from event
    where subject_id = ${param('subject')}::uuid and starts_with(type, ${sql.lit(`${table}.`)})
      ${isBefore(before, param)} ${isLimited && !withHidden ? sql`and ${isVisible}` : sql``}
    order by event.position desc nulls first, event.id desc limit ${param('limit')}::int`;
  },
  { isReadOnly: true },
);

/** Includes events that have no position yet. */
export async function readHistory(
  db: Kysely<Database>,
  { table, subject, before, limit, hasRecords, officeLimit, withHidden = false }: HistoryRead,
): Promise<RecordEvent[]> {
  const read = readStatement({
    table,
    hasRecords,
    before: before && (before.position === null ? 'unpositioned' : 'positioned'),
    isLimited: officeLimit !== undefined,
    withHidden,
  });
  const offices = officeLimit && officesValue(officeLimit);
  return read.execute(db, { subject, limit, ...before, offices });
}

export async function findVersion(
  db: Kysely<Database>,
  { table, subject, version, limit }: Limited & { table: RecordTable; subject: string; version: number },
): Promise<Json | undefined> {
  // Separate from the LIMIT: with it, PostgreSQL may read the log in ID order.
  const { rows } = await sql<{ record: Json }>`
    with of_version as materialized (
      select id, record from event
      where subject_id = ${subject} and version = ${version}::bigint and record is not null
        and starts_with(type, ${`${table}.`})${andIsEventWithin(limit)}
    )
    select record from of_version order by id limit 1`.execute(db);
  return withVisibleItems(db, rows[0]?.record, limit);
}

const Cursor = z.tuple([z.string().regex(/^\d{1,18}$/), z.int().min(0).nullable(), z.uuid()]);

export function cursorOf({ id, position }: HistoryPlace, subject: string): string {
  return encodeCursor([id, position, subject]);
}

/** Throws `invalid_cursor`, and `cursor_mismatch` for the history of another record. */
export function parsePlace(cursor: string, subject: string): HistoryPlace {
  const [id, position, record] = decodeCursor(Cursor, cursor);
  if (record !== subject)
    throw new RosterError('cursor_mismatch', 'The cursor belongs to the history of a different record.');
  return { id, position };
}
