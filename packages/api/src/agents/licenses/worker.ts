import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { definitions } from '../../directory/registry.ts';
import { startPeriodicJob } from '../../engine/queue/periodic-job.ts';
import { noticeLicenses } from './notices.ts';

/** Also the delay for a licence entered late. */
const INTERVAL_MS = 10_000;

export interface LicenseWorkerOptions {
  db: Kysely<Database>;
  /** The clock of the database. */
  now: () => Date;
  noticeDays: readonly number[];
  onError: (error: unknown) => void;
}

/** Runs on one server at a time. The returned function resolves when the current pass has ended. */
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
