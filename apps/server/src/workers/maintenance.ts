import {
  backfillRecords,
  compactEvents,
  definitions,
  deleteAbandonedUploads,
  deleteEndedInvitations,
  deleteEndedSessions,
  deleteExpiredResponses,
  deleteExpiredSignIns,
  deleteOldNotices,
  eraseEvents,
  purgeDeliveries,
  purgeJobs,
  purgeScheduledChanges,
  purgeTombstones,
  startPeriodicJob,
} from '@roster/api/server';
import type { Database } from '@roster/db';
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';

interface JobOptions {
  /** By the clock of the database. */
  now: Date;
  retentionDays: number;
  historyDays: number;
}

/** Run once an hour, in this order. Each is safe beside the same job on other servers. */
const jobs: Record<string, (db: Kysely<Database>, options: JobOptions) => Promise<unknown>> = {
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

const INTERVAL_MS = 60 * 60 * 1_000;

interface MaintenanceOptions {
  db: Kysely<Database>;
  now: () => Date;
  retentionDays: number;
  historyDays: number;
  log: FastifyBaseLogger;
}

/**
 * At once, and then every hour on one server. A job that fails is logged and runs again an hour later. The returned function does not
 * wait for a running job.
 */
export function startMaintenance({
  db,
  now,
  retentionDays,
  historyDays,
  log,
}: MaintenanceOptions): () => void {
  let isStopped = false;
  async function runJobs(): Promise<void> {
    for (const [job, run] of Object.entries(jobs)) {
      if (isStopped) return;
      await run(db, { now: now(), retentionDays, historyDays }).catch((error: unknown) =>
        log.warn({ err: error, job }, 'a maintenance job failed'),
      );
    }
  }
  const stop = startPeriodicJob(db, {
    name: 'maintenance',
    intervalMs: INTERVAL_MS,
    leaseMs: INTERVAL_MS,
    runsAtStart: true,
    run: runJobs,
    onError: (error) => {
      if (!isStopped) log.warn({ err: error }, 'maintenance could not be claimed');
    },
  });
  return () => {
    isStopped = true;
    void stop();
  };
}
