import { type RawBuilder, sql } from 'kysely';

/** What can happen to a record. `purged`: the tombstone, which had its last state, is deleted too. */
export const eventVerbs = [
  'created',
  'updated',
  'deactivated',
  'reactivated',
  'deleted',
  'restored',
  'purged',
] as const;
type EventVerb = (typeof eventVerbs)[number];

/** Why a change is made: what its event says beside the record. */
export interface ChangeCause {
  now: Date;
  /** The key that asks for it; null where the service does it by itself. */
  actorId: string | null;
  requestId: string | null;
  reason?: string | null | undefined;
}

/** The kind of change, the table of the record, and the cause or the parameters that hold it. */
interface EventInsert {
  table: 'office' | 'agent';
  verb: EventVerb;
  cause: { [Part in keyof ChangeCause]: ChangeCause[Part] | RawBuilder<unknown> };
}

/**
 * The part of a change's statement that writes its events, in the same transaction because in the same statement:
 * one for each row of the part named `event_rows`, which has id, version, record and previous.
 */
export function insertEvents({ table, verb, cause }: EventInsert): RawBuilder<unknown> {
  const { now, actorId, requestId, reason } = cause;
  return sql`
    insert into event (type, subject_id, version, occurred_at, actor_id, request_id, reason, record, previous)
    select ${sql.lit(`${table}.${verb}`)}, id, version, ${now}, ${actorId}::uuid, ${requestId}, ${reason ?? null}, record, previous
    from event_rows order by id`;
}

/** The values that differ between two states of a record, as they were before; both come of one expression. */
export function previousValues(before: RawBuilder<unknown>, after: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select coalesce(json_object_agg(name, was), '{}')
    from rows from (json_each(${before}), json_each(${after})) as field (name, was, same_name, became)
    where was::text <> became::text)`;
}
