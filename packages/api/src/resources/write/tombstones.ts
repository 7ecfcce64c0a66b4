import type { Database } from '@roster/db';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { ResourceDefinition } from '../definition.ts';
import { type Retention, retentionEnd } from '../retention.ts';
import { insertEvents } from './event-outbox.ts';

/** Deletes the tombstone of a record and returns the record's last state; undefined if there is none any more. */
export async function takeTombstone<Row extends { id: string }>(
  trx: Transaction<Database>,
  { name }: ResourceDefinition<Row>,
  { id, ...retention }: Retention & { id: string },
): Promise<Row | undefined> {
  const { rows } = await sql<{ record: Row }>`
    delete from tombstone
    where collection = ${name} and id = ${id} and deleted_at > ${retentionEnd(retention)}
    returning record`.execute(trx);
  return rows[0]?.record;
}

/** Tombstones in one statement, each with its event. */
const BATCH_SIZE = 1_000;

/**
 * Deletes the tombstones whose retention has ended, with an event for each; those records can no longer be restored. Runs
 * short statements, so that no number of tombstones exceeds the statement timeout. Any number of servers can run it at once.
 *
 * @returns how many it deleted
 */
export async function purgeTombstones(
  db: Kysely<Database>,
  resources: readonly Pick<ResourceDefinition, 'name' | 'table'>[],
  retention: Retention,
): Promise<number> {
  let count = 0;
  for (const { name, table } of resources) {
    const cause = { now: retention.now, actorId: null, requestId: null };
    for (let purged = BATCH_SIZE; purged === BATCH_SIZE; count += purged) {
      const { rows } = await sql<{ count: number }>`
        with gone as (
          delete from tombstone where collection = ${name} and id in (
            select id from tombstone where collection = ${name} and deleted_at <= ${retentionEnd(retention)}
            limit ${BATCH_SIZE} for update skip locked
          ) returning *
        ), event_rows as materialized (
          select id, (record ->> 'version')::int as version, null::json as record, '{}'::json as previous from gone
        ), written as (${insertEvents({ table, verb: 'purged', cause })})
        select count(*)::int as count from gone`.execute(db);
      purged = rows[0]?.count ?? 0;
    }
  }
  return count;
}
