import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { definitions } from '../../directory.ts';
import { startPeriodicJob } from '../../engine/queue/periodic-job.ts';
import { noticeLicenses } from './notices.ts';

/** The least pause between two passes, which is the time until a licence that was entered late is noticed. */
const INTERVAL_MS = 10_000;

export interface LicenseWorkerOptions {
  db: Kysely<Database>;
  /** The clock of the database. */
  now: () => Date;
  /** The days before the last day of a licence on which a notice is written. */
  noticeDays: readonly number[];
  onError: (error: unknown) => void;
}

/**
 * Inserts the events of licences that expire, on one server at a time.
 *
 * @returns a function that stops it, and resolves when the current pass has ended
 */
export function startLicenseWorker({
  db,
  now,
  noticeDays,
  onError,
}: LicenseWorkerOptions): () => Promise<void> {
  if (noticeDays.length === 0) return () => Promise.resolve();
  const licensed = definitions.filter(({ fields }) => 'licenses' in fields);
  const run = () => noticeLicenses(db, licensed, { now: now(), noticeDays });
  return startPeriodicJob(db, { name: 'license notices', intervalMs: INTERVAL_MS, run, onError });
}
