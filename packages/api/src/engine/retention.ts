import type { Database } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { ResourceDefinition } from './definition.ts';
import { causeColumns, insertEvents } from './outbox/event-outbox.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

export interface Retention {
  now: Date;
  retentionDays: number;
}

export function retentionEnd({ now, retentionDays }: Retention): Date {
  return new Date(now.getTime() - retentionDays * DAY_MS);
}

export function keptUntil(endedAt: string, retentionDays: number): Date {
  return new Date(Date.parse(endedAt) + retentionDays * DAY_MS);
}

const BATCH_SIZE = 1_000;

/** Writes an event for each. Safe on any number of servers. Returns the number of tombstones. */
export async function purgeTombstones(
  db: Kysely<Database>,
  resources: readonly Pick<ResourceDefinition, 'name' | 'table'>[],
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
        ), forgotten as (
          delete from license_notice where subject_id in (select id from gone)
        ), forgotten_keys as (
          update record_merge set email = null, name = null
          where undone_at is null and duplicate_id in (
            with recursive member (id) as (
              select id from gone where merged_into(id) is null
              union
              select duplicate_id from record_merge join member on survivor_id = member.id where undone_at is null
            )
            select id from member
          )
        ), written as (${insertEvents({ table, verb: 'purged', cause })})
        select count(*)::int as count from gone`.execute(db);
      purged = rows[0]?.count ?? 0;
    }
  }
  return count;
}

const DELETED_ROWS_MAX = 5_000;

/** In short statements, below the statement timeout. Safe on any number of servers. */
export async function deleteInBatches(
  db: Kysely<Database>,
  table: keyof Database,
  condition: RawBuilder<unknown>,
  keys: readonly string[] = ['id'],
): Promise<number> {
  const key = sql.join(keys.map((column) => sql.ref(column)));
  for (let count = 0; ; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where (${key}) in (
        select ${key} from ${sql.table(table)} where ${condition} limit ${DELETED_ROWS_MAX} for update skip locked
      )`.execute(db);
    count += Number(numAffectedRows);
    if (numAffectedRows < DELETED_ROWS_MAX) return count;
  }
}
