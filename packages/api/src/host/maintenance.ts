import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { deleteOldNotices, forgottenNotices } from '../agents/license-notices.ts';
import { type DirectoryResource, definitions } from '../directory/registry.ts';
import { forgottenKeys } from '../duplicates/merges/repository.ts';
import { causeColumns, insertEvents } from '../engine/outbox/event-outbox.ts';
import { type Retention, retentionEnd } from '../engine/retention.ts';
import { backfillRecords } from '../engine/write/backfill.ts';
import { deleteEndedInvitations } from '../identity/invitations/repository.ts';
import { deleteEndedSessions } from '../identity/sessions/repository.ts';
import { deleteExpiredSignIns } from '../identity/sign-in/repository.ts';
import { deleteAbandonedUploads } from '../imports/upload.ts';
import { purgeJobs } from '../jobs/repository.ts';
import { compactEvents, eraseEvents } from '../log/upkeep.ts';
import { purgeScheduledChanges } from '../schedule/repository.ts';
import { deleteExpiredResponses } from '../trpc/idempotency.ts';
import { purgeDeliveries } from '../webhooks/repository.ts';

interface MaintenanceOptions {
  now: Date;
  retentionDays: number;
  historyDays: number;
}

/** Run in this order. Safe to run concurrently on several servers. */
export const maintenanceJobs: Readonly<
  Record<string, (db: Kysely<Database>, options: MaintenanceOptions) => Promise<unknown>>
> = {
  'delete expired tombstones': (db, options) => purgeTombstones(db, definitions, options),
  'delete the events of purged records': eraseEvents,
  'compact events': (db, { now, historyDays }) => compactEvents(db, { now, retentionDays: historyDays }),
  'delete old webhook deliveries': purgeDeliveries,
  'delete old scheduled changes': purgeScheduledChanges,
  'delete expired jobs': purgeJobs,
  'delete abandoned uploads': (db, { now }) => deleteAbandonedUploads(db, now),
  'delete expired idempotent responses': (db, { now }) => deleteExpiredResponses(db, now),
  'delete expired sign-ins': (db, { now }) => deleteExpiredSignIns(db, now),
  'delete ended sessions': (db, { now }) => deleteEndedSessions(db, now),
  'delete ended invitations': (db, { now }) => deleteEndedInvitations(db, now),
  'delete old licence notices': (db, { now }) => deleteOldNotices(db, now),
  'backfill the JSON of records': (db) => backfillRecords(db, definitions),
};

const BATCH_SIZE = 1_000;

/** Writes an event for each, and deletes what else is known of the records. Safe on any number of servers. Returns the number of tombstones. */
export async function purgeTombstones(
  db: Kysely<Database>,
  resources: readonly Pick<DirectoryResource, 'name' | 'table'>[],
  retention: Retention,
): Promise<number> {
  let count = 0;
  for (const { name, table } of resources) {
    const cause = causeColumns({ now: retention.now, actorId: null, requestId: null });
    for (let purged = BATCH_SIZE; purged === BATCH_SIZE; count += purged) {
      const { rows } = await sql<{ count: number }>`
        with gone as (
          delete from tombstone where collection = ${name} and id in (
            select id from tombstone where collection = ${name} and deleted_at <= ${retentionEnd(retention)}
            limit ${BATCH_SIZE} for update skip locked
          ) returning *
        ), event_rows as materialized (
          select id, (record ->> 'version')::int as version, null::json as record, '{}'::json as previous from gone
        ), notices as (${forgottenNotices}), keys as (${forgottenKeys}), written as (${insertEvents({ table, verb: 'purged', cause })})
        select count(*)::int as count from gone`.execute(db);
      purged = rows[0]?.count ?? 0;
    }
  }
  return count;
}
