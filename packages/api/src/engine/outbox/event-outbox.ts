import type { RecordTable } from '@roster/db';
import { type RawBuilder, sql } from 'kysely';
import type { EventDetails } from './event-details.ts';

/**
 * The changes that a record can have. `purged`: the tombstone, which had its last state, is deleted too. `license_expiring`: a
 * licence of it expires soon. `change_failed`: a scheduled change of it could not be made. `merged`: it was merged into another record,
 * which `deleted` follows, or another one into it.
 */
const commonVerbs = [
  'created',
  'updated',
  'deactivated',
  'reactivated',
  'deleted',
  'restored',
  'purged',
] as const;
export const eventVerbs = [...commonVerbs, 'license_expiring', 'change_failed', 'merged'] as const;
/** The same of a record without licences. */
export const unlicensedEventVerbs = [...commonVerbs, 'change_failed', 'merged'] as const;
/** The same of a record that is transferred from one office to another. */
export const transferEventVerbs = [...eventVerbs, 'transferred'] as const;
export type EventVerb = (typeof transferEventVerbs)[number];

/** Why a change is made: what its event says beside the record. */
export interface ChangeCause {
  now: Date;
  /** The key that asks for it; null where the service does it by itself. */
  actorId: string | null;
  requestId: string | null;
  reason?: string | null | undefined;
  /** The details of the event, such as `{ bulkId }`; a transfer adds the offices by itself. */
  details?: EventDetails | undefined;
}

/** The cause as values of the event's columns. */
export function causeColumns({ now, actorId, requestId, reason, details }: ChangeCause) {
  return {
    now,
    actorId,
    requestId,
    reason: reason ?? null,
    details: details === undefined ? null : JSON.stringify(details),
  };
}

/** The kind of change, the table of the record, and the cause or the parameters that hold it. */
interface EventInsert {
  table: RecordTable;
  verb: EventVerb;
  /** The values of its columns, or the parameters that hold them. */
  cause: { [Part in keyof ReturnType<typeof causeColumns>]: unknown };
}

/** The details of a transfer name the offices, of which the previous one is read from the changed fields. */
function detailsOf(verb: EventVerb, details: unknown): RawBuilder<unknown> {
  if (verb !== 'transferred') return sql`${details}::json`;
  const offices = sql`jsonb_build_object('fromOfficeId', previous -> 'officeId', 'toOfficeId', record -> 'officeId')`;
  return sql`(coalesce(${details}::jsonb, '{}') || ${offices})::json`;
}

/**
 * The part of a change's statement that writes its events, in the same transaction because in the same statement:
 * one for each row of the part named `event_rows`, which has id, version, record and previous.
 */
export function insertEvents({ table, verb, cause }: EventInsert): RawBuilder<unknown> {
  const { now, actorId, requestId, reason, details } = cause;
  return sql`
    insert into event (type, subject_id, version, occurred_at, actor_id, request_id, reason, record, previous, details)
    select ${sql.lit(`${table}.${verb}`)}, id, version, ${now}, ${actorId}::uuid, ${requestId}, ${reason}, record, previous,
      ${detailsOf(verb, details)}
    from event_rows order by id`;
}

/** The values that differ between two states of a record, as they were before; both come of one expression. */
export function previousValues(before: RawBuilder<unknown>, after: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select coalesce(json_object_agg(name, was), '{}')
    from rows from (json_each(${before}), json_each(${after})) as field (name, was, same_name, became)
    where was::text <> became::text)`;
}
