import type { Database } from '@roster/db';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Collection } from '../definition.ts';
import { type Retention, retentionEnd } from '../retention.ts';
import { writeEvents } from './event-outbox.ts';

/** Takes the tombstone of a record away and answers its last state; undefined where none is kept any more. */
export async function takeTombstone<Row extends { id: string }>(
  trx: Transaction<Database>,
  { name }: Collection<Row>,
  { id, ...retention }: Retention & { id: string },
): Promise<Row | undefined> {
  const { rows } = await sql<{ record: Row }>`
    delete from tombstone
    where collection = ${name} and id = ${id} and deleted_at > ${retentionEnd(retention)}
    returning record`.execute(trx);
  return rows[0]?.record;
}

/** Tombstones in one statement, each with its event. */
const AT_ONCE = 1_000;

const noun = { offices: 'office', agents: 'agent' } as const;

/**
 * Removes the tombstones whose time is over, with an event for each; afterwards those records cannot be restored. Short
 * statements, one after the other, so that no number of them runs into the statement timeout. Safe to run on any number of servers at once. Returns how many it removed.
 */
export async function purgeTombstones(db: Kysely<Database>, retention: Retention): Promise<number> {
  let count = 0;
  for (const [collection, table] of Object.entries(noun)) {
    const cause = { now: retention.now, actorId: null, requestId: null };
    for (let removed = AT_ONCE; removed === AT_ONCE; count += removed) {
      const { rows } = await sql<{ count: number }>`
        with gone as (
          delete from tombstone where collection = ${collection} and id in (
            select id from tombstone where collection = ${collection} and deleted_at <= ${retentionEnd(retention)}
            limit ${AT_ONCE} for update skip locked
          ) returning *
        ), logged as materialized (
          select id, (record ->> 'version')::int as version, null::json as record, '{}'::json as previous from gone
        ), written as (${writeEvents({ table, verb: 'purged', cause })})
        select count(*)::int as count from gone`.execute(db);
      removed = rows[0]?.count ?? 0;
    }
  }
  return count;
}
