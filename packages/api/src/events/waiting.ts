import { compileOnce, type Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import type { QueryContext } from '../trpc/query-call.ts';

/** The last of the events that wait for a position, up to another one; null if none waits. */
const findLastWaiting = compileOnce<{ last: string }, { last: string | null }>(
  (place) =>
    sql`select max(id)::text as last from event where position is null and id <= ${place('last')}::bigint`,
  { isReadOnly: true, isShort: true },
);

/** The bound is short, so that a client who leaves meanwhile is not looked for. */
const never = new AbortController().signal;

const LARGEST_ID = String(2n ** 63n - 1n);

async function lastWaiting(db: Kysely<Database>, last: string): Promise<string | undefined> {
  const [row] = await findLastWaiting.execute(db, { last });
  return row?.last ?? undefined;
}

/**
 * Waits until the events that are committed now have their positions, which the sequencer gives shortly after the commit, but no
 * longer than a bound: a reader of the log after the response to a change then finds its event.
 */
export async function waitForPositions(context: QueryContext, timeoutMs: number): Promise<void> {
  const { notifier } = context.services;
  const from = context.db;
  const end = performance.now() + timeoutMs;
  let version = notifier.version();
  let last = await lastWaiting(from, LARGEST_ID);
  while (last !== undefined && performance.now() < end) {
    await notifier.waitForChange(version, end - performance.now(), never);
    version = notifier.version();
    last = await lastWaiting(from, last);
  }
}
