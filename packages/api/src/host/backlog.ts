import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { type EventLogStats, readEventLogStats } from '../log/backlog.ts';
import { readScheduledChangeStats, type ScheduledChangeStats } from '../schedule/backlog.ts';
import { type DeliveryStats, readDeliveryStats } from '../webhooks/backlog.ts';

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
