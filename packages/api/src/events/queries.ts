import type { Database } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { timeText } from '../records/record-json.ts';
import type { Event, EventType } from './schemas.ts';

/** An event as the API shows it. */
const eventRecord: RawBuilder<Event> = sql`json_build_object(
  'position', position,
  'type', type,
  'subject', subject_id,
  'version', version,
  'occurredAt', ${timeText(sql<Date>`occurred_at`)},
  'actorId', actor_id,
  'requestId', request_id,
  'reason', reason,
  'record', record,
  'previous', previous)`;

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

/** The events after a position, few at a time. The history of a record has an index of its own. */
function stretchOf({ after, types, subject, limit }: Reading) {
  if (subject !== undefined) {
    return sql`select * from event where subject_id = ${subject} and position > ${after} order by position`;
  }
  return sql`select * from event where position > ${after} order by position limit ${types ? LOOK_MAX : limit + 1}`;
}

/**
 * Reads the log onward from a position. All that is at or below `lookedTo` and was asked for is among the items or
 * was read before: positions are given in the order in which they become visible.
 */
export async function readEvents(db: Kysely<Database>, reading: Reading): Promise<Stretch> {
  const { types, limit } = reading;
  const wanted = types === undefined ? sql`true` : sql`type = any(${types})`;
  const { rows } = await sql<Stretch & { more: number | null }>`
    with stretch as (${stretchOf(reading)}),
      found as (select * from stretch where ${wanted} order by position limit ${limit + 1}),
      page as (select * from found order by position limit ${limit})
    select
      coalesce((select json_agg(${eventRecord} order by position) from page), '[]') as items,
      last_position::float8 as "lastPosition",
      compacted_to::float8 as "compactedTo",
      (case
        when (select count(*) from found) > ${limit} then (select max(position) from page)
        when (select count(*) from stretch) = ${LOOK_MAX} then (select max(position) from stretch)
        else last_position
      end)::float8 as "lookedTo"
    from event_log`.execute(db);
  const [stretch] = rows;
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
