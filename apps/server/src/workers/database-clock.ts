import { compileOnce, type Database, type Param, startPolling } from '@roster/db';
import { type Kysely, sql } from 'kysely';

export interface DatabaseClock extends AsyncDisposable {
  now(): Date;
}

const POLL_INTERVAL_MS = 1_000;

const readTime = compileOnce(
  (_: Param<object>, db: Kysely<Database>) =>
    db.selectNoFrom(sql<number>`extract(epoch from clock_timestamp())::float8 * 1000`.as('timeMs')),
  { isReadOnly: true, lane: 'keys' },
);

/**
 * Follows the clock of the database, so that all servers agree, to within the round trip of the query that reads it. Later failures are
 * only reported.
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
    // The database read its clock between the two moments, which bounds the offset.
    const [least, most] = [row.timeMs - performance.now(), row.timeMs - sentMs];
    offsetMs = Number.isNaN(offsetMs) ? (least + most) / 2 : Math.min(Math.max(offsetMs, least), most);
  }

  await ask();
  const polling = startPolling(ask, {
    intervalMs: POLL_INTERVAL_MS,
    retryMs: POLL_INTERVAL_MS,
    onError: onFailure,
  });
  return {
    now: () => new Date(performance.now() + offsetMs),
    [Symbol.asyncDispose]: polling.stop,
  };
}
