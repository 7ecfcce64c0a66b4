import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { forgottenNotices } from '../agents/licenses/notices.ts';
import type { DirectoryResource } from '../directory/registry.ts';
import { forgottenKeys } from '../duplicates/merges/repository.ts';
import { causeColumns, insertEvents } from '../engine/outbox/event-outbox.ts';
import { type Retention, retentionEnd } from '../engine/retention.ts';

const BATCH_SIZE = 1_000;

/** Writes an event for each, and deletes what else is known of the records. Safe on any number of servers. Returns the number of tombstones. */
export async function purgeTombstones(
  db: Kysely<Database>,
  resources: readonly Pick<DirectoryResource, 'name' | 'table'>[],
  retention: Retention,
): Promise<number> {
  let count = 0;
  for (const { name, table } of resources) {
    const cause = causeColumns({ now: retention.now, actorId: null, requestId: null });
    for (let purged = BATCH_SIZE; purged === BATCH_SIZE; count += purged) {
      const { rows } = await sql<{ count: number }>`
        with gone as (
          delete from tombstone where collection = ${name} and id in (
            select id from tombstone where collection = ${name} and deleted_at <= ${retentionEnd(retention)}
            limit ${BATCH_SIZE} for update skip locked
          ) returning *
        ), event_rows as materialized (
          select id, (record ->> 'version')::int as version, null::json as record, '{}'::json as previous from gone
        ), notices as (${forgottenNotices}), keys as (${forgottenKeys}), written as (${insertEvents({ table, verb: 'purged', cause })})
        select count(*)::int as count from gone`.execute(db);
      purged = rows[0]?.count ?? 0;
    }
  }
  return count;
}
