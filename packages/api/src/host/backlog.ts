import { compileOnce, type Database, type Param } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { type EventLogStats, oneRowOf, readEventLogStats } from '../log/backlog.ts';
import { type DeliveryStats, readDeliveryStats } from '../webhooks/backlog.ts';

type ScheduledChangeStats = Awaited<ReturnType<typeof readScheduledChangeStats>>;

const COUNTED_MAX = 10_000;
const oldestDueS = sql<number>`coalesce(greatest(extract(epoch from now() - min(due_at)), 0), 0)::float8`;

const selectScheduledChangeStats = compileOnce((_: Param<object>, db: Kysely<Database>) => {
  const pending = db.selectFrom('scheduled_change').where('status', '=', sql.lit('pending')).select('due_at');
  return db
    .selectFrom(pending.orderBy('due_at').limit(sql.lit(COUNTED_MAX)).as('counted'))
    .select([
      sql<number>`count(*)::int`.as('pending'),
      sql<number>`count(*) filter (where due_at <= now())::int`.as('due'),
      oldestDueS.as('oldestDueS'),
    ]);
});

const readScheduledChangeStats = oneRowOf(selectScheduledChangeStats);

export interface Backlog {
  log: EventLogStats;
  queue: DeliveryStats;
  scheduled: ScheduledChangeStats;
}

/** Rejects when the signal aborts. */
export async function readBacklog(db: Kysely<Database>, options: { signal: AbortSignal }): Promise<Backlog> {
  const [log, queue, scheduled] = await Promise.all([
    readEventLogStats(db, options),
    readDeliveryStats(db, options),
    readScheduledChangeStats(db, options),
  ]);
  return { log, queue, scheduled };
}
