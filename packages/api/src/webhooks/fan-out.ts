import type { Database } from '@roster/db';
import { type Kysely, sql, type Transaction } from 'kysely';
import { v7 as uuidv7 } from 'uuid';

/** How many events one call looks through for types that may be rare. */
const LOOK_MAX = 10_000;

interface Wanted {
  position: number;
  type: string;
  subject: string;
}

/**
 * Makes deliveries of the events that webhooks have not come to yet, up to so many undelivered ones for each: a
 * receiver that is away does not fill the disk, and what is beyond stays in the log. Safe on any number of servers at
 * once: each webhook is read on by one of them. Returns how many webhooks have come further.
 */
export async function makeDeliveries(
  db: Kysely<Database>,
  { backlogMax }: { backlogMax: number },
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select webhook.id from webhook, event_log
    where status = 'active' and read_to < last_position and (
      select count(*) from webhook_delivery where webhook_id = webhook.id and status = 'pending'
    ) < ${backlogMax}`.execute(db);
  let count = 0;
  for (const { id } of rows) {
    if (await db.transaction().execute((trx) => readOnFor(trx, { id, backlogMax }))) count += 1;
  }
  return count;
}

/** Reads the log on for one webhook. Returns whether it came further. */
async function readOnFor(
  trx: Transaction<Database>,
  { id, backlogMax }: { id: string; backlogMax: number },
): Promise<boolean> {
  const { rows: locked } = await sql<{ readTo: string; types: string[] | null }>`
    select read_to as "readTo", types from webhook
    where id = ${id} and status = 'active' for update skip locked`.execute(trx);
  const [webhook] = locked;
  if (webhook === undefined) return false;
  // Only now, in a statement that sees what the one who had the lock before has made.
  const { wanted, readTo } = await eventsFor(trx, { id, backlogMax, ...webhook });
  if (readTo === null || readTo === webhook.readTo) return false;
  await insertDeliveries(trx, id, wanted);
  await sql`update webhook set read_to = ${readTo} where id = ${id}`.execute(trx);
  return true;
}

interface Place {
  id: string;
  readTo: string;
  types: string[] | null;
  backlogMax: number;
}

/** The next events a webhook wants, as many as there is room for, and up to which position that is all. */
async function eventsFor(
  trx: Transaction<Database>,
  { id, readTo, types, backlogMax }: Place,
): Promise<{ wanted: Wanted[]; readTo: string | null }> {
  const isWanted = types === null ? sql`true` : sql`type = any(${types})`;
  const { rows } = await sql<{ wanted: Wanted[]; readTo: string | null }>`
    with backlog as (
      select greatest(${backlogMax}::int - count(*), 0) as room
      from webhook_delivery where webhook_id = ${id} and status = 'pending'
    ), stretch as (
      select position, type, subject_id from event where position > ${readTo} order by position limit ${LOOK_MAX}
    ), wanted as (
      select * from stretch where ${isWanted} order by position limit (select room from backlog)
    )
    select
      (
        select coalesce(
          json_agg(json_build_object('position', position, 'type', type, 'subject', subject_id) order by position), '[]'
        ) from wanted
      ) as wanted,
      case
        when (select count(*) from wanted) = (select room from backlog) then (select max(position) from wanted)
        when (select count(*) from stretch) = ${LOOK_MAX} then (select max(position) from stretch)
        else last_position
      end as "readTo"
    from event_log`.execute(trx);
  return rows[0] ?? { wanted: [], readTo: null };
}

async function insertDeliveries(
  trx: Transaction<Database>,
  webhookId: string,
  wanted: Wanted[],
): Promise<void> {
  if (wanted.length === 0) return;
  const ids = wanted.map(() => uuidv7());
  const positions = wanted.map(({ position }) => position);
  const types = wanted.map(({ type }) => type);
  const subjects = wanted.map(({ subject }) => subject);
  await sql`
    insert into webhook_delivery (id, webhook_id, position, type, subject_id, due_at, created_at)
    select id, ${webhookId}, position, type, subject_id, now(), now()
    from unnest(${ids}::uuid[], ${positions}::bigint[], ${types}::text[], ${subjects}::uuid[])
      as wanted (id, position, type, subject_id)
    order by position`.execute(trx);
}
