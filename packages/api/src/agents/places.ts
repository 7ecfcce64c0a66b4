import { type Database, startPolling } from '@roster/db';
import { type Kysely, sql } from 'kysely';

/** Agents per transaction, so that changes of these agents wait for a fraction of a second. */
const BATCH_SIZE = 500;
/** Finds offices without a notification, and agents that were locked. */
const INTERVAL_MS = 2_000;

/**
 * Brings the place of work of the next agents up to date whose office or an office above changed. Offices that
 * another server works on are passed over.
 *
 * @returns whether anything is left that can be done now
 */
export async function placeNextAgents(db: Kysely<Database>): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const next = await trx
      .selectFrom('place_backlog')
      .select(['id', 'office_id'])
      .orderBy('id')
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (next === undefined) return false;
    const { rows } = await sql<{ placed: number; isLeft: boolean }>`
      select placed, is_left as "isLeft" from place_agents(${next.office_id}, ${BATCH_SIZE})`.execute(trx);
    const [{ placed, isLeft } = { placed: 0, isLeft: false }] = rows;
    if (isLeft && placed > 0) return true;
    await trx.deleteFrom('place_backlog').where('id', '=', next.id).execute();
    // The others are locked. Other offices come first.
    if (isLeft) await trx.insertInto('place_backlog').values({ office_id: next.office_id }).execute();
    return !isLeft;
  });
}

export interface PlaceWorkerOptions {
  db: Kysely<Database>;
  onError: (error: unknown) => void;
}

/** Runs on every server; each takes a different office. */
export function startPlaceWorker({ db, onError }: PlaceWorkerOptions) {
  const run = async () => ((await placeNextAgents(db)) ? 'more' : undefined);
  return startPolling(run, { intervalMs: INTERVAL_MS, onError });
}
