import { compileOnce, type Database, type Param } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import type { EventNotifier } from './log/notifier.ts';

/** The last of the events that wait for a position, up to another one; null if none waits. */
const findLastWaiting = compileOnce(
  (param: Param<{ last: string }>, db: Kysely<Database>) =>
    db
      .selectFrom('event')
      .where('position', 'is', null)
      .where('id', '<=', param('last'))
      .select(sql<string | null>`max(id)::text`.as('last')),
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
export async function waitForPositions(
  from: Kysely<Database>,
  { notifier, timeoutMs }: { notifier: EventNotifier; timeoutMs: number },
): Promise<void> {
  const end = performance.now() + timeoutMs;
  let version = notifier.version();
  let last = await lastWaiting(from, LARGEST_ID);
  while (last !== undefined && performance.now() < end) {
    await notifier.waitForChange(version, end - performance.now(), never);
    version = notifier.version();
    last = await lastWaiting(from, last);
  }
}
