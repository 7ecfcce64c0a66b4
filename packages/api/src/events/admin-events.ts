import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import type { ChangeCause } from '../resources/write/event-outbox.ts';
import type { keyTypes, webhookTypes } from './types.ts';

/** A change of a key or a webhook, with the representation before and after it, which has no secret. */
interface AdminChange<Shown extends { id: string }> {
  type: (typeof keyTypes)[number] | (typeof webhookTypes)[number];
  before?: Shown | undefined;
  after: Shown;
  cause: Pick<ChangeCause, 'now' | 'actorId' | 'requestId'>;
}

/** The transaction holds the lock of the log, so a server that stops responding loses it after this time. */
const IDLE_TIMEOUT_MS = 1_000;

/**
 * Writes the event of a change, in the transaction of the change and as its last statement. It assigns the position itself,
 * unlike events of records, and locks the log until the transaction ends.
 */
export async function writeAdminEvent<Shown extends { id: string }>(
  trx: Kysely<Database>,
  { type, before, after, cause: { now, actorId, requestId } }: AdminChange<Shown>,
): Promise<void> {
  const previous = before === undefined ? {} : previousOf(before, after);
  await sql`set local idle_in_transaction_session_timeout = ${sql.lit(IDLE_TIMEOUT_MS)}`.execute(trx);
  await sql`
    with place as (update event_log set last_position = last_position + 1 returning last_position)
    insert into admin_event
      (position, type, subject_id, version, occurred_at, actor_id, request_id, record, previous)
    select last_position, ${type}, ${after.id}::uuid,
      (select coalesce(max(version), 0) + 1 from admin_event where subject_id = ${after.id}),
      ${now}, ${actorId}::uuid, ${requestId}, ${JSON.stringify(after)}::json, ${JSON.stringify(previous)}::json
    from place`.execute(trx);
  await sql`select pg_notify('roster_events', '')`.execute(trx);
}

/** Whether two representations differ. */
export function isChanged(before: object, after: object): boolean {
  return JSON.stringify(before) !== JSON.stringify(after);
}

/** The fields that differ, with their previous values. */
function previousOf(before: object, after: object): Record<string, unknown> {
  const now = new Map(Object.entries(after));
  return Object.fromEntries(
    Object.entries(before).filter(([name, was]) => JSON.stringify(was) !== JSON.stringify(now.get(name))),
  );
}
