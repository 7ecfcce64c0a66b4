import { type Kysely, sql } from 'kysely';

/**
 * The records that may be the same: how far they are compared, the keys by which a record meets those that may be like it, and the
 * pairs that are alike. None of these tables has a foreign key or a trigger: a write of a record costs nothing more, and a pair whose
 * record is deleted is not shown.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // How far the records of one resource are compared: by the log of events, and before that all that are there.
  await sql`
    create table comparison (
      collection text primary key,
      rules int not null,
      position bigint not null,
      compared_to uuid,
      is_complete boolean not null default false
    )`.execute(db);
  await sql`
    create table compared_record (
      collection text not null,
      id uuid not null,
      keys bigint[] not null,
      primary key (collection, id)
    )`.execute(db);
  // Without a pending list: each key of a record is looked up as soon as it is written.
  await sql`create index compared_record_keys_idx on compared_record using gin (keys) with (fastupdate = off)`.execute(
    db,
  );
  await sql`
    create table duplicate_pair (
      id uuid primary key,
      collection text not null,
      first_id uuid not null,
      second_id uuid not null,
      score numeric(3, 2) not null constraint duplicate_pair_score_check check (score between 0 and 1),
      kinds text[] not null,
      reasons jsonb not null,
      found_at timestamptz(3) not null,
      dismissed_at timestamptz(3),
      dismissed_by uuid,
      dismissal_reason text,
      constraint duplicate_pair_records_key unique (collection, first_id, second_id),
      constraint duplicate_pair_order_check check (first_id < second_id),
      constraint duplicate_pair_dismissal_check check (dismissed_at is not null or (dismissed_by is null and dismissal_reason is null))
    )`.execute(db);
  await sql`create index duplicate_pair_score_idx on duplicate_pair (collection, score, id)`.execute(db);
  await sql`create index duplicate_pair_second_idx on duplicate_pair (collection, second_id)`.execute(db);
}
