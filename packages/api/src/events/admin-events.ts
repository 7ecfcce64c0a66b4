import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import type { Cause } from '../resources/write/event-outbox.ts';
import type { keyTypes, webhookTypes } from './types.ts';

/** A change of a key or a webhook, as it is shown before and after: without a secret. */
interface AdminChange<Shown extends { id: string }> {
  type: (typeof keyTypes)[number] | (typeof webhookTypes)[number];
  before?: Shown | undefined;
  after: Shown;
  cause: Pick<Cause, 'now' | 'actorId' | 'requestId'>;
}

/** The row of the log is held until the transaction ends: a server that stands still then loses its transaction. */
const STANDSTILL_MS = 1_000;

/**
 * Writes the event of a change into the log, in the transaction of the change and as its last statement. Positions are
 * taken here, unlike those of records, and no other is given until the transaction has ended.
 */
export async function writeAdminEvent<Shown extends { id: string }>(
  trx: Kysely<Database>,
  { type, before, after, cause: { now, actorId, requestId } }: AdminChange<Shown>,
): Promise<void> {
  const previous = before === undefined ? {} : previousOf(before, after);
  await sql`set local idle_in_transaction_session_timeout = ${sql.lit(STANDSTILL_MS)}`.execute(trx);
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

/** Whether a change has changed anything that is shown. */
export function isChanged(before: object, after: object): boolean {
  return JSON.stringify(before) !== JSON.stringify(after);
}

/** The values that differ, as they were before. */
function previousOf(before: object, after: object): Record<string, unknown> {
  const now = new Map(Object.entries(after));
  return Object.fromEntries(
    Object.entries(before).filter(([name, was]) => JSON.stringify(was) !== JSON.stringify(now.get(name))),
  );
}
