import { compiledVariants, type Database, inlineSql, type Param } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { timeText } from '../resources/json/record-json.ts';
import type { Event } from './schemas.ts';
import { type EventType, isAdminType } from './types.ts';

/** An event as the API shows it. */
const eventRecord: RawBuilder<Event> = inlineSql(sql`json_build_object(
  'position', position,
  'type', type,
  'subject', subject_id,
  'version', version,
  'occurredAt', ${timeText(sql<Date>`occurred_at`)},
  'actorId', actor_id,
  'requestId', request_id,
  'reason', reason,
  'record', record,
  'previous', previous)`);

/** Which events a reader wants, and after which position. */
export interface Reading {
  after: number;
  types?: EventType[] | undefined;
  subject?: string | undefined;
  limit: number;
}

/** What was read, in one snapshot of the log. */
export interface Stretch {
  items: Event[];
  /** The last position of the log, and the one up to which it is compacted. */
  lastPosition: number;
  compactedTo: number;
  /** Up to which position the events were looked through, at most the last one. */
  lookedTo: number;
}

/** How many events one call looks through for a type that may be rare. */
const LOOK_MAX = 10_000;

/** What an event says, in either table. */
const said = sql.raw('position, type, subject_id, version, occurred_at, actor_id, request_id');
const adminEvents = sql`select ${said}, null as reason, record, previous from admin_event`;
const recordEvents = sql`select ${said}, reason, record, previous from event`;

/** The events of keys and webhooks after a position, and those of records too where they are asked for. */
function adminStretchOf(place: Param<Record<string, unknown>>, { types = [], subject }: Reading) {
  const tables = types.every(isAdminType) ? [adminEvents] : [adminEvents, recordEvents];
  const ofSubject = subject === undefined ? sql`` : sql`and subject_id = ${place('subject')}`;
  const parts = tables.map(
    (table) =>
      sql`(${table} where position > ${place('after')} ${ofSubject} order by position limit ${place('lookMax')})`,
  );
  return sql`select * from (${sql.join(parts, sql` union all `)}) as found order by position limit ${place('lookMax')}`;
}

/** The events after a position, few at a time. The history of a record has an index of its own. */
function stretchOf(place: Param<Record<string, unknown>>, reading: Reading) {
  const { types, subject } = reading;
  if (types?.some(isAdminType)) return adminStretchOf(place, reading);
  const onward = sql`position > ${place('after')}`;
  if (subject !== undefined) {
    return sql`select * from event where subject_id = ${place('subject')} and ${onward} order by position`;
  }
  return sql`select * from event where ${onward} order by position limit ${place(types ? 'lookMax' : 'more')}`;
}

const readStatements = compiledVariants<Stretch>({ isReadOnly: true });

/**
 * Reads the log onward from a position. All that is at or below `lookedTo` and was asked for is among the items or
 * was read before: positions are given in the order in which they become visible.
 */
export async function readEvents(db: Kysely<Database>, reading: Reading): Promise<Stretch> {
  const { after, types, subject, limit } = reading;
  const tables = types?.some(isAdminType) ? `admin ${types.every(isAdminType)}` : 'records';
  const shape = `${types !== undefined} ${subject !== undefined} ${tables}`;
  const statement = readStatements(
    shape,
    (place) => sql`
    with stretch as (${stretchOf(place, reading)}),
      found as (
        select * from stretch ${types ? sql`where type = any(${place('types')})` : sql``}
        order by position limit ${place('more')}
      ),
      page as (select * from found order by position limit ${place('limit')})
    select
      coalesce((select json_agg(${eventRecord} order by position) from page), '[]') as items,
      last_position::float8 as "lastPosition",
      compacted_to::float8 as "compactedTo",
      (case
        when (select count(*) from found) = ${place('more')}::int then (select max(position) from page)
        when (select count(*) from stretch) = ${place('lookMax')}::int then (select max(position) from stretch)
        else last_position
      end)::float8 as "lookedTo"
    from event_log`,
  );
  const values = { after, types, subject, limit, more: limit + 1, lookMax: LOOK_MAX };
  const [stretch] = await statement.execute(db, values);
  if (stretch === undefined) throw new Error('the log has lost its place');
  return stretch;
}

/** The last position that was given, as a place. */
export async function endOfLog(db: Kysely<Database>): Promise<string> {
  const { last_position } = await db
    .selectFrom('event_log')
    .select('last_position')
    .executeTakeFirstOrThrow();
  return last_position;
}
