import { maintenanceJobs, startPeriodicJob } from '@roster/api/server';
import type { Database } from '@roster/db';
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';

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
    for (const [job, run] of Object.entries(maintenanceJobs)) {
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
