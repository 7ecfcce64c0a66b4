import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import type { ChangeCause } from '../engine/outbox/event-outbox.ts';
import { lockLog } from './repository.ts';
import type { AdminEventType } from './types.ts';

interface AdminChange<Shown extends { id: string }> {
  before?: Shown | undefined;
  after: Shown;
}

type AdminCause = Pick<ChangeCause, 'now' | 'actorId' | 'requestId'>;

/**
 * Writes the event of a change, as the last statement of its transaction; none without a difference, unless
 * `isAlways`. It assigns the position itself, unlike events of records, and locks the log until the
 * transaction ends.
 */
export async function writeAdminEvent<Shown extends { id: string }>(
  trx: Kysely<Database>,
  {
    type,
    cause,
    isAlways = false,
    ...change
  }: AdminChange<Shown> & { type: AdminEventType; cause: AdminCause; isAlways?: boolean },
): Promise<void> {
  const { before, after } = change;
  if (before !== undefined && !isAlways && !isChanged(before, after)) return;
  await writeAdminEvents(trx, { type, cause, changes: [change] });
}

export async function writeAdminEvents<Shown extends { id: string }>(
  trx: Kysely<Database>,
  {
    type,
    changes,
    cause: { now, actorId, requestId },
  }: { type: AdminEventType; changes: readonly AdminChange<Shown>[]; cause: AdminCause },
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ before, after }) => ({
    id: after.id,
    record: after,
    previous: before === undefined ? {} : previousOf(before, after),
  }));
  await lockLog(trx);
  await sql`
    with place as (
      update event_log set last_position = last_position + ${rows.length}::int returning last_position
    )
    insert into admin_event
      (position, type, subject_id, version, occurred_at, actor_id, request_id, record, previous)
    select last_position - ${rows.length}::int + number, ${type}, changed.id,
      (select coalesce(max(version), 0) + 1 from admin_event where subject_id = changed.id),
      ${now}, ${actorId}::uuid, ${requestId}, changed.record, changed.previous
    from place, rows from (
      json_to_recordset(${JSON.stringify(rows)}) as (id uuid, record json, previous json)
    ) with ordinality as changed (id, record, previous, number)`.execute(trx);
  await sql`select pg_notify('roster_events', '')`.execute(trx);
}

export function isChanged(before: object, after: object): boolean {
  return JSON.stringify(before) !== JSON.stringify(after);
}

function previousOf(before: object, after: object): Record<string, unknown> {
  const now = new Map(Object.entries(after));
  return Object.fromEntries(
    Object.entries(before).filter(([name, was]) => JSON.stringify(was) !== JSON.stringify(now.get(name))),
  );
}
