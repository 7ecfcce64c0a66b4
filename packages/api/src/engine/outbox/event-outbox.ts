import type { RecordTable } from '@roster/db';
import { type RawBuilder, sql } from 'kysely';

/**
 * `purged`: the tombstone with the last state was deleted. `license_expiring`: a licence expires soon.
 * `change_failed`: a scheduled change could not be made. `merged`: the record was merged into another (a
 * `deleted` follows), or another into it.
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
export const unlicensedEventVerbs = [...commonVerbs, 'change_failed', 'merged'] as const;
export const transferEventVerbs = [...eventVerbs, 'transferred'] as const;
export type EventVerb = (typeof transferEventVerbs)[number];

export interface ChangeCause {
  now: Date;
  actorId: string | null;
  requestId: string | null;
  reason?: string | null | undefined;
  /** `EventDetails`, which only those know who make the change. */
  details?: object | undefined;
}

export function causeColumns({ now, actorId, requestId, reason, details }: ChangeCause) {
  return {
    now,
    actorId,
    requestId,
    reason: reason ?? null,
    details: details === undefined ? null : JSON.stringify(details),
  };
}

interface EventInsert {
  table: RecordTable;
  verb: EventVerb;
  cause: { [Part in keyof ReturnType<typeof causeColumns>]: unknown };
}

function detailsOf(verb: EventVerb, details: unknown): RawBuilder<unknown> {
  if (verb !== 'transferred') return sql`${details}::json`;
  const offices = sql`jsonb_build_object('fromOfficeId', previous -> 'officeId', 'toOfficeId', record -> 'officeId')`;
  return sql`(coalesce(${details}::jsonb, '{}') || ${offices})::json`;
}

/** Must be in the statement of the change. Writes an event for each row of the CTE `event_rows`. */
export function insertEvents({ table, verb, cause }: EventInsert): RawBuilder<unknown> {
  const { now, actorId, requestId, reason, details } = cause;
  return sql`
    insert into event (type, subject_id, version, occurred_at, actor_id, request_id, reason, record, previous, details)
    select ${sql.lit(`${table}.${verb}`)}, id, version, ${now}, ${actorId}::uuid, ${requestId}, ${reason}, record, previous,
      ${detailsOf(verb, details)}
    from event_rows order by id`;
}

/** The old values of fields that differ. Both states come from the same expression. */
export function previousValues(before: RawBuilder<unknown>, after: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select coalesce(json_object_agg(name, was), '{}')
    from rows from (json_each(${before}), json_each(${after})) as field (name, was, same_name, became)
    where was::text <> became::text)`;
}
