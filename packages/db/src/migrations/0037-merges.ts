import { type Kysely, sql } from 'kysely';

/**
 * The records that were merged into others, which they are still found by, and what moved with them, which an undo brings back. There
 * are no foreign keys: the survivor may be deleted, or be merged into another one.
 *
 * The check of the types of events is replaced by a wider one under its name, `not valid` as in 0015.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table record_merge (
      id uuid primary key,
      collection text not null,
      survivor_id uuid not null,
      duplicate_id uuid not null,
      source_name text,
      source_key text,
      merged_at timestamptz(3) not null,
      merged_by uuid,
      moved jsonb not null,
      undone_at timestamptz(3),
      constraint record_merge_self_check check (survivor_id <> duplicate_id)
    )`.execute(db);
  await sql`
    create unique index record_merge_duplicate_key on record_merge (duplicate_id) where undone_at is null`.execute(
    db,
  );
  await sql`create index record_merge_survivor_idx on record_merge (survivor_id)`.execute(db);
  await sql`
    create index record_merge_source_idx on record_merge (collection, source_name, source_key)
    where undone_at is null and source_name is not null`.execute(db);
  // The record that a merged one is found as, over any number of merges; null if it was not merged.
  await sql`
    create function merged_into(merged uuid) returns uuid language sql stable as $$
      with recursive survivor (id, depth) as (
        select survivor_id, 1 from record_merge where duplicate_id = merged and undone_at is null
        union all
        select survivor_id, depth + 1 from record_merge join survivor on duplicate_id = survivor.id where undone_at is null
      )
      select id from survivor order by depth desc limit 1
    $$`.execute(db);
  await sql`
    alter table event
      drop constraint event_type_check,
      add constraint event_type_check check (
        type ~ '^((office|agent)\\.(created|updated|deactivated|reactivated|deleted|restored|purged|license_expiring|change_failed|merged)|agent\\.transferred)$'
      ) not valid`.execute(db);
}
