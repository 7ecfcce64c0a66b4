import { compileOnce, type Database, type Param, statement } from '@roster/db';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { officesValue, readLimit } from '../../engine/office-limit.ts';
import { claim, dueNow } from '../../engine/queue/claim.ts';
import { isEventWithin } from '../../log/visibility.ts';

/** Events scanned per call for a webhook whose types may be rare. */
const SCAN_MAX = 10_000;
/** Minimum events to scan; up to ten for each free place in the backlog. */
const SCAN_MIN = 1_000;

interface QueuedEvent {
  position: number;
  type: string;
  subject: string;
}

const waitingStatement = compileOnce(
  (param: Param<{ backlogMax: number }>, db: Kysely<Database>) =>
    db
      .selectFrom(['webhook', 'event_log'])
      .where('webhook.status', '=', 'active')
      .whereRef('webhook.read_to', '<', 'event_log.last_position')
      .where(
        (row) =>
          row
            .selectFrom('webhook_delivery')
            .whereRef('webhook_delivery.webhook_id', '=', 'webhook.id')
            .where('webhook_delivery.status', '=', 'pending')
            .select((one) => one.fn.countAll<number>().as('pending')),
        '<',
        param('backlogMax'),
      )
      .select('webhook.id'),
  { isPlannedForValues: true },
);

/**
 * Fan-out: inserts a delivery for each new event of each webhook. At most `backlogMax` are pending per
 * webhook, so that an unavailable receiver does not fill the disk; more events stay in the log. On several
 * servers, one handles a webhook at a time. Returns the number of advanced webhooks.
 */
export async function enqueueDeliveries(
  db: Kysely<Database>,
  { backlogMax }: { backlogMax: number },
): Promise<number> {
  const rows = await waitingStatement.execute(db, { backlogMax });
  let count = 0;
  for (const { id } of rows) {
    if (await db.transaction().execute((trx) => enqueueFor(trx, { id, backlogMax }))) count += 1;
  }
  return count;
}

async function enqueueFor(
  trx: Transaction<Database>,
  { id, backlogMax }: { id: string; backlogMax: number },
): Promise<boolean> {
  const condition = sql<boolean>`id = ${id} and status = 'active'`;
  const claimed = claim({ table: 'webhook', condition, lease: 'transaction' });
  const webhook = await trx
    .with('claimed', () => sql<Selectable<Database['webhook']>>`(${claimed})`)
    .selectFrom('claimed')
    .select(['read_to as readTo', 'types', 'office_ids as officeIds'])
    .executeTakeFirst();
  if (webhook === undefined) return false;
  // A separate statement after the lock, to see what its previous holder has inserted.
  const { wanted, readTo } = await nextEvents(trx, { id, backlogMax, ...webhook });
  if (readTo === null || readTo === webhook.readTo) return false;
  await insertDeliveries(trx, id, wanted);
  await trx.updateTable('webhook').set({ read_to: readTo }).where('id', '=', id).execute();
  return true;
}

interface WebhookPosition {
  id: string;
  readTo: string;
  types: string[] | null;
  officeIds: string[] | null;
  backlogMax: number;
}

interface NextShape {
  ofTypes: boolean;
  isLimited: boolean;
}

/** A tag, because almost everything in it is an expression. */
const nextStatement = statement<NextShape, { wanted: QueuedEvent[]; readTo: string | null }>(
  ({ ofTypes, isLimited }, place) => {
    const isOfType = ofTypes ? sql`type = any(${place('types')})` : sql`true`;
    const isWanted = isLimited ? sql`${isOfType} and ${isEventWithin(place('offices'))}` : isOfType;
    return sql`
    with backlog as (
      select room, least(greatest(10 * room, ${sql.lit(SCAN_MIN)}), ${sql.lit(SCAN_MAX)}) as scan_max from (
        select greatest(${place('backlogMax')}::int - count(*), 0) as room
        from webhook_delivery where webhook_id = ${place('id')} and status = 'pending'
      ) as counted
    ), scanned as (
      select position, type, subject_id${isLimited ? sql`, record, previous` : sql``}
      from event where position > ${place('readTo')} order by position limit (select scan_max from backlog)
    ), wanted as (
      select * from scanned where ${isWanted} order by position limit (select room from backlog)
    )
    select
      (
        select coalesce(
          json_agg(json_build_object('position', position, 'type', type, 'subject', subject_id) order by position), '[]'
        ) from wanted
      ) as wanted,
      case
        when (select count(*) from wanted) = (select room from backlog) then (select max(position) from wanted)
        when (select count(*) from scanned) = (select scan_max from backlog) then (select max(position) from scanned)
        else last_position
      end as "readTo"
    from event_log`;
  },
  { isReadOnly: true, isPlannedForValues: true },
);

/** With the position scanned to. A moved branch of the tree counts from the next pass. */
async function nextEvents(
  trx: Transaction<Database>,
  { id, readTo, types, officeIds, backlogMax }: WebhookPosition,
): Promise<{ wanted: QueuedEvent[]; readTo: string | null }> {
  const limit = officeIds === null ? undefined : await readLimit(trx, officeIds);
  const offices = limit && officesValue(limit);
  const [next] = await nextStatement({ ofTypes: types !== null, isLimited: limit !== undefined }).execute(
    trx,
    {
      id,
      readTo,
      types,
      offices,
      backlogMax,
    },
  );
  return next ?? { wanted: [], readTo: null };
}

async function insertDeliveries(
  trx: Transaction<Database>,
  webhookId: string,
  wanted: QueuedEvent[],
): Promise<void> {
  if (wanted.length === 0) return;
  const ids = wanted.map(() => uuidv7());
  const positions = wanted.map(({ position }) => position);
  const types = wanted.map(({ type }) => type);
  const subjects = wanted.map(({ subject }) => subject);
  // A tag, because the builder would need the types of the unnested columns again.
  await sql`
    insert into webhook_delivery (id, webhook_id, position, type, subject_id, due_at, created_at)
    select id, ${webhookId}, position, type, subject_id, ${dueNow}, now()
    from unnest(${ids}::uuid[], ${positions}::bigint[], ${types}::text[], ${subjects}::uuid[])
      as wanted (id, position, type, subject_id)
    order by position`.execute(trx);
}
