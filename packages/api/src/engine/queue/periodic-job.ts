import { type Database, startPolling } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { claim } from './claim.ts';

/** For how long a run belongs to the server that began it; after that another server begins one. */
const LEASE_MS = 60_000;
/** A run takes at most this share of the time: after one that took a second, the next one is due in 100. */
const DUTY_MAX = 0.01;

export interface PeriodicJobOptions {
  /** Identifies the job across servers and releases. */
  name: string;
  /** The least milliseconds from the end of a run to the next. */
  intervalMs: number;
  /** The longest run that is expected, in milliseconds: 60,000 unless given. */
  leaseMs?: number;
  /** Whether each server runs the job when it starts, whoever else has: it may be of another release, or have other settings. */
  runsAtStart?: boolean;
  run: () => Promise<unknown>;
  onError: (error: unknown) => void;
}

/** Claims the next run if it is due. By the clock of the database, so one server has it. */
async function claimRun(
  db: Kysely<Database>,
  { name, leaseMs, isAlwaysDue }: { name: string; leaseMs: number; isAlwaysDue: boolean },
): Promise<boolean> {
  // Each time, because the table is not logged: a crash of PostgreSQL empties it.
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
 * Runs a job on one server at a time, at most once in the interval, and less often if a run takes longer than 1 % of that.
 * A run that fails, or whose server dies, is followed by another one when its lease has ended. Two runs may overlap if
 * one takes longer than that, or servers start, so a job must be safe beside itself.
 *
 * @returns a function that starts no further run, and resolves when the current one has ended
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
