import { type Database, startPolling } from '@roster/db';
import { type Kysely, sql } from 'kysely';

/** For how long a run belongs to the server that began it; after that another server begins one. */
const LEASE_MS = 60_000;
/** A run takes at most this share of the time: after one that took a second, the next one is due in 100. */
const DUTY_MAX = 0.01;

export interface PeriodicJobOptions {
  /** Identifies the job across servers and releases. */
  name: string;
  /** The least milliseconds from the end of a run to the next. */
  intervalMs: number;
  run: () => Promise<unknown>;
  onError: (error: unknown) => void;
}

/** Claims the next run if it is due. By the clock of the database, so one server has it. */
async function claim(db: Kysely<Database>, name: string): Promise<boolean> {
  const dueAt = sql`clock_timestamp() + ${LEASE_MS} * interval '1 ms'`;
  const { rows } = await sql`
    insert into periodic_job (name, due_at) values (${name}, ${dueAt})
    on conflict (name) do update set due_at = excluded.due_at where periodic_job.due_at <= clock_timestamp()
    returning 1`.execute(db);
  return rows.length > 0;
}

async function postpone(db: Kysely<Database>, name: string, delayMs: number): Promise<void> {
  await sql`
    update periodic_job set due_at = clock_timestamp() + ${delayMs} * interval '1 ms' where name = ${name}`.execute(
    db,
  );
}

/**
 * Runs a job on one server at a time, at most once in the interval, and less often if a run takes longer than 1 % of that.
 * A run that fails, or whose server dies, is followed by another one when its lease of a minute has ended. Two runs may overlap if
 * one takes longer than that, so a job must be safe beside itself.
 *
 * @returns a function that starts no further run, and resolves when the current one has ended
 */
export function startPeriodicJob(
  db: Kysely<Database>,
  { name, intervalMs, run, onError }: PeriodicJobOptions,
): () => Promise<void> {
  async function runIfDue(): Promise<void> {
    if (!(await claim(db, name))) return;
    const start = performance.now();
    await run();
    await postpone(db, name, Math.max(intervalMs, (performance.now() - start) / DUTY_MAX));
  }
  return startPolling(runIfDue, { intervalMs, retryMs: intervalMs, onError }).stop;
}
