import { type Database, startPolling } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { claim } from './claim.ts';

/** After that, another server begins a run. */
const LEASE_MS = 60_000;
/** A run takes at most this share of the time: after a run of one second, the next is due in 100. */
const DUTY_MAX = 0.01;

export interface PeriodicJobOptions {
  name: string;
  intervalMs: number;
  /** The longest expected run. Defaults to 60,000 ms. */
  leaseMs?: number;
  /** Whether each server runs the job at its start: it may have another release or other settings. */
  runsAtStart?: boolean;
  run: () => Promise<unknown>;
  onError: (error: unknown) => void;
}

/** Uses the clock of the database, so that one server gets the run. */
async function claimRun(
  db: Kysely<Database>,
  { name, leaseMs, isAlwaysDue }: { name: string; leaseMs: number; isAlwaysDue: boolean },
): Promise<boolean> {
  // Each time, because the table is unlogged and a crash of PostgreSQL empties it.
  await db
    .insertInto('periodic_job')
    .values({ name, due_at: sql`'-infinity'` })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const isDue = isAlwaysDue ? sql`true` : sql`due_at <= now()`;
  const run = claim({
    table: 'periodic_job',
    key: 'name',
    condition: sql`name = ${name} and ${isDue}`,
    lease: { ms: leaseMs },
  });
  const { rows } = await sql`with claimed as (${run}) select from claimed`.execute(db);
  return rows.length > 0;
}

async function postpone(db: Kysely<Database>, name: string, delayMs: number): Promise<void> {
  await db
    .updateTable('periodic_job')
    .set({ due_at: sql`clock_timestamp() + ${delayMs} * interval '1 ms'` })
    .where('name', '=', name)
    .execute();
}

/**
 * Runs a job on one server at a time, at most once per interval and for at most 1% of the time. If a run
 * fails or its server dies, another follows when the lease has ended. Runs can overlap, so a job must be safe
 * to run concurrently.
 *
 * @returns stops the job; resolves when the current run has ended
 */
export function startPeriodicJob(
  db: Kysely<Database>,
  { name, intervalMs, leaseMs = LEASE_MS, runsAtStart = false, run, onError }: PeriodicJobOptions,
): () => Promise<void> {
  let isAlwaysDue = runsAtStart;
  async function runIfDue(): Promise<void> {
    if (!(await claimRun(db, { name, leaseMs, isAlwaysDue }))) return;
    isAlwaysDue = false;
    const start = performance.now();
    await run();
    await postpone(db, name, Math.max(intervalMs, (performance.now() - start) / DUTY_MAX));
  }
  return startPolling(runIfDue, { intervalMs, retryMs: Math.min(intervalMs, LEASE_MS), onError }).stop;
}
