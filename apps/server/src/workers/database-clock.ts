import { compileOnce, type Database, startPolling } from '@roster/db';
import { type Kysely, sql } from 'kysely';

/** The clock of the database, as far as this server can tell without asking. */
export interface DatabaseClock extends AsyncDisposable {
  now(): Date;
}

const ASKED_EVERY_MS = 1_000;

const readTime = compileOnce<Record<never, never>, { timeMs: number }>(
  () => sql`select extract(epoch from clock_timestamp())::float8 * 1000 as "timeMs"`,
  { isReadOnly: true },
);

/**
 * All servers go by one clock, that of the database, whatever the clocks of their machines say, so that what ends by one
 * server's time ends at the same moment on the others. Asked now and then, and carried on by a clock that nobody sets;
 * wrong by less than an answer takes to come. Throws where the database cannot be asked the first time; later it goes on
 * by what it knows.
 */
export async function startDatabaseClock(
  db: Kysely<Database>,
  onFailure: (error: unknown) => void,
): Promise<DatabaseClock> {
  let offsetMs = Number.NaN;

  async function ask(): Promise<void> {
    const sentMs = performance.now();
    const [row] = await readTime.execute(db, {});
    if (row === undefined) return;
    // It said so after the question and before the answer: what cannot be true moves as little as it must.
    const [least, most] = [row.timeMs - performance.now(), row.timeMs - sentMs];
    offsetMs = Number.isNaN(offsetMs) ? (least + most) / 2 : Math.min(Math.max(offsetMs, least), most);
  }

  await ask();
  const polling = startPolling(ask, {
    intervalMs: ASKED_EVERY_MS,
    retryMs: ASKED_EVERY_MS,
    onError: onFailure,
  });
  return {
    now: () => new Date(performance.now() + offsetMs),
    [Symbol.asyncDispose]: polling.stop,
  };
}
