import { compileOnce, type Database, type Param } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import type { EventNotifier } from '../log/notifier.ts';

/** The last event up to a position of the outbox that has no position in the log; null if none. */
const findLastWaiting = compileOnce(
  (param: Param<{ last: string }>, db: Kysely<Database>) =>
    db
      .selectFrom('event')
      .where('position', 'is', null)
      .where('id', '<=', param('last'))
      .select(sql<string | null>`max(id)::text`.as('last')),
  { isReadOnly: true, lane: 'keys' },
);

/** The wait is short, so it ignores disconnects. */
const never = new AbortController().signal;

const LARGEST_ID = String(2n ** 63n - 1n);

async function lastWaiting(db: Kysely<Database>, last: string): Promise<string | undefined> {
  const [row] = await findLastWaiting.execute(db, { last });
  return row?.last ?? undefined;
}

/** Waits for positions, so that reading the log after the response to a change finds its event. */
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
