import { setTimeout } from 'node:timers/promises';
import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';

/** Positions given in one transaction at most, so that none takes long. */
const AT_ONCE = 1_000;
/** After giving some, so that many writers share one round; it bounds how long an event waits beside the next. */
const PAUSE_MS = 15;
/** Without a call: another server may have ended between its commit and its call. */
const LOOK_EVERY_MS = 150;
const AFTER_FAILURE_MS = 500;

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
  const closing = new AbortController();
  let called = Promise.withResolvers<void>();

  async function round(): Promise<number> {
    const given = await givePositions(db).catch((error: unknown) => {
      onFailure(error);
      return undefined;
    });
    if (given === undefined) return AFTER_FAILURE_MS;
    if (given === AT_ONCE) return 0;
    return given === 0 ? LOOK_EVERY_MS : PAUSE_MS;
  }

  async function give(): Promise<void> {
    let waitMs = 0;
    while (!closing.signal.aborted) {
      const waited = setTimeout(waitMs, undefined, { signal: closing.signal });
      // A call ends the long wait, never the pause.
      await (waitMs === LOOK_EVERY_MS ? Promise.race([waited, called.promise]) : waited);
      called = Promise.withResolvers<void>();
      waitMs = await round();
    }
  }

  const giving = give().catch(() => undefined);
  return {
    call: () => called.resolve(),
    close: async () => {
      closing.abort();
      await giving;
    },
  };
}
