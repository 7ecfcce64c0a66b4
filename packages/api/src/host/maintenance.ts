import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { deleteOldNotices } from '../agents/licenses/notices.ts';
import { definitions } from '../directory/registry.ts';
import { backfillRecords } from '../engine/write/backfill.ts';
import { deleteEndedInvitations } from '../identity/invitations/repository.ts';
import { deleteEndedSessions } from '../identity/sessions/repository.ts';
import { deleteExpiredSignIns } from '../identity/sign-in/repository.ts';
import { deleteAbandonedUploads } from '../imports/upload.ts';
import { purgeJobs } from '../jobs/retention.ts';
import { compactEvents, eraseEvents } from '../log/upkeep.ts';
import { purgeScheduledChanges } from '../schedule/repository.ts';
import { deleteExpiredResponses } from '../trpc/idempotency.ts';
import { purgeDeliveries } from '../webhooks/repository.ts';
import { purgeTombstones } from './purge-tombstones.ts';

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
