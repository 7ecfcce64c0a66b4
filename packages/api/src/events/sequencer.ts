import { type Database, startPolling } from '@roster/db';
import { type Kysely, sql } from 'kysely';

/** Positions given in one transaction at most, so that none takes long. */
const AT_ONCE = 1_000;
/** Between two rounds, so that many writers share one; it bounds how long an event waits beside the next. */
const PAUSE_MS = 15;
/** Without a call: another server may have ended between its commit and its call. */
const LOOK_EVERY_MS = 150;

/** Gives positions to committed events. Returns how many it gave, or -1 where another giver is at work. */
export async function givePositions(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{
    given: number;
  }>`select give_event_positions(${AT_ONCE}::int) as given`.execute(db);
  return rows[0]?.given ?? 0;
}

export interface PositionGiver {
  /** To be called after a commit that may have written events. */
  call(): void;
  close(): Promise<void>;
}

/**
 * Gives positions for as long as it is open: soon after each call, and now and then by itself. Any number of
 * servers may do so at once; the database lets one at a time. Failures are told, and tried again.
 */
export function openPositionGiver(db: Kysely<Database>, onFailure: (error: unknown) => void): PositionGiver {
  const giveSome = async () => ((await givePositions(db)) === AT_ONCE ? 'more' : undefined);
  const { wake, stop } = startPolling(giveSome, {
    intervalMs: LOOK_EVERY_MS,
    pauseMs: PAUSE_MS,
    onError: onFailure,
  });
  return { call: wake, close: stop };
}
