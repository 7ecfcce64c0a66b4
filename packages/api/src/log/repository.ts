import { type Database, inlineSql, type Param, statement } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { timeText } from '../engine/json/record-json.ts';
import { type OfficeLimit, officesValue } from '../engine/office-limit.ts';
import { type EventType, isAdminType } from './types.ts';
import { isEventWithin } from './visibility.ts';

/** As stored; `eventsFor` completes it for a reader. */
const eventRecord: RawBuilder<unknown> = inlineSql(sql`json_build_object(
  'position', position,
  'type', type,
  'subject', subject_id,
  'version', version,
  'occurredAt', ${timeText(sql<Date>`occurred_at`)},
  'actorId', actor_id,
  'actor', null,
  'requestId', request_id,
  'reason', reason,
  'record', record,
  'previous', previous,
  'details', details)`);

export interface EventFilter {
  /** The events begin after this position in their order. */
  after: number;
  /** Whether the latest event comes first. */
  isBackward: boolean;
  types?: EventType[] | undefined;
  subject?: string | undefined;
  actorId?: string | undefined;
  limit: number;
  officeLimit: OfficeLimit | undefined;
}

export interface EventSlice<Read> {
  items: Read[];
  lastPosition: number;
  compactedTo: number;
  /** The last position in the order of the events that was read; backward 0 at the start of the log. */
  scannedTo: number;
}

/** Events scanned per read for a type or an actor, which may be rare. */
const SCAN_MAX = 10_000;
/** Under a limit, which is checked in the events' JSON. */
const LIMITED_SCAN_MAX = 2_000;

const sharedColumns = sql.raw('position, type, subject_id, version, occurred_at, actor_id, request_id');
const adminEvents = sql`select ${sharedColumns}, null as reason, record, previous, null::json as details from admin_event`;
const recordEvents = sql`select ${sharedColumns}, reason, record, previous, details from event`;

interface ReadShape {
  isBackward: boolean;
  tables: 'records' | 'admin' | 'both';
  ofTypes: boolean;
  ofSubject: boolean;
  ofActor: boolean;
  isLimited: boolean;
}

const orderOf = ({ isBackward }: ReadShape) => (isBackward ? sql`position desc` : sql`position`);
const rangeOf = (place: Param<Record<string, unknown>>, { isBackward }: ReadShape) =>
  isBackward ? sql`position < ${place('after')}` : sql`position > ${place('after')}`;

/** Events other than of records after a position, and record events if the filter has them. */
function adminSliceOf(place: Param<Record<string, unknown>>, shape: ReadShape) {
  const tables = shape.tables === 'admin' ? [adminEvents] : [adminEvents, recordEvents];
  const ofSubject = !shape.ofSubject ? sql`` : sql`and subject_id = ${place('subject')}`;
  const parts = tables.map(
    (table) =>
      sql`(${table} where ${rangeOf(place, shape)} ${ofSubject} order by ${orderOf(shape)} limit ${place('scanMax')})`,
  );
  return sql`select * from (${sql.join(parts, sql` union all `)}) as found order by ${orderOf(shape)} limit ${place('scanMax')}`;
}

/** A bounded number of events. The index has those of each record, which may be many. */
function sliceOf(place: Param<Record<string, unknown>>, shape: ReadShape) {
  const { tables, ofTypes, ofActor, isLimited } = shape;
  const isFiltered = ofTypes || ofActor || isLimited;
  if (tables !== 'records') return adminSliceOf(place, shape);
  const ofSubject = !shape.ofSubject ? sql`` : sql`subject_id = ${place('subject')} and`;
  return sql`
    select * from event where ${ofSubject} ${rangeOf(place, shape)}
    order by ${orderOf(shape)} limit ${place(isFiltered ? 'scanMax' : 'more')}`;
}

const readStatement = statement<ReadShape, EventSlice<unknown>>(
  (shape, place) => {
    const conditions = [
      ...(shape.ofTypes ? [sql`type = any(${place('types')})`] : []),
      ...(shape.ofActor ? [sql`actor_id = ${place('actorId')}::uuid`] : []),
      ...(shape.isLimited ? [isEventWithin(place('offices'))] : []),
    ];
    const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
    const order = orderOf(shape);
    const edge = shape.isBackward ? sql`min(position)` : sql`max(position)`;
    const end = shape.isBackward ? sql`0` : sql`last_position`;
    return sql`
    with slice as (${sliceOf(place, shape)}),
      found as (
        select * from slice ${where}
        order by ${order} limit ${place('more')}
      ),
      page as (select * from found order by ${order} limit ${place('limit')})
    select
      coalesce((select json_agg(${eventRecord} order by ${order}) from page), '[]') as items,
      last_position::float8 as "lastPosition",
      compacted_to::float8 as "compactedTo",
      (case
        when (select count(*) from found) = ${place('more')}::int then (select ${edge} from page)
        when (select count(*) from slice) = ${place('scanMax')}::int then (select ${edge} from slice)
        else ${end}
      end)::float8 as "scannedTo"
    from event_log`;
  },
  { isReadOnly: true },
);

function tablesOf(types: readonly EventType[] = []): ReadShape['tables'] {
  if (!types.some(isAdminType)) return 'records';
  return types.every(isAdminType) ? 'admin' : 'both';
}

/** All matches from `after` to `scannedTo`: positions follow visibility, so none can appear below it later. */
export async function readEvents<Read>(db: Kysely<Database>, filter: EventFilter): Promise<EventSlice<Read>> {
  const { after, isBackward, types, subject, actorId, limit, officeLimit } = filter;
  const read = readStatement({
    isBackward,
    tables: tablesOf(types),
    ofTypes: types !== undefined,
    ofSubject: subject !== undefined,
    ofActor: actorId !== undefined,
    isLimited: officeLimit !== undefined,
  });
  const [slice] = await read.execute(db, {
    after,
    types,
    subject,
    actorId,
    limit,
    more: limit + 1,
    scanMax: officeLimit ? LIMITED_SCAN_MAX : SCAN_MAX,
    offices: officeLimit && officesValue(officeLimit),
  });
  if (slice === undefined) throw new Error('the table event_log has no row');
  return slice as EventSlice<Read>;
}

const findStatement = statement<{ isLimited: boolean }, { event: unknown }>(
  ({ isLimited }, place) => {
    const within = isLimited ? sql` and ${isEventWithin(place('offices'))}` : sql``;
    return sql`
      select ${eventRecord} as event from event
      where position = any(${place('positions')}::bigint[])${within} order by position`;
  },
  { isReadOnly: true, isPlannedForValues: true },
);

export async function findEvents<Read>(
  db: Kysely<Database>,
  positions: readonly number[],
  limit: OfficeLimit | undefined,
): Promise<Read[]> {
  const find = findStatement({ isLimited: limit !== undefined });
  const rows = await find.execute(db, { positions, offices: limit && officesValue(limit) });
  return rows.map(({ event }) => event as Read);
}

export async function readLogEnds(
  db: Kysely<Database>,
): Promise<{ lastPosition: string; compactedTo: number }> {
  const { last_position, compacted_to } = await db
    .selectFrom('event_log')
    .select(['last_position', 'compacted_to'])
    .executeTakeFirstOrThrow();
  return { lastPosition: last_position, compactedTo: Number(compacted_to) };
}

export async function lastPosition(db: Kysely<Database>): Promise<string> {
  return (await readLogEnds(db)).lastPosition;
}

/** A server that stops responding loses the log's lock after this time. */
const IDLE_TIMEOUT_MS = 1_000;

/** No other transaction assigns positions until this one ends. */
export async function lockLog(trx: Kysely<Database>): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = ${sql.lit(IDLE_TIMEOUT_MS)}`.execute(trx);
  await trx.selectFrom('event_log').select('last_position').forUpdate().execute();
}
