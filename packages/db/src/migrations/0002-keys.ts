import { type Kysely, sql } from 'kysely';

/**
 * Keys and their secrets. A secret is kept as its SHA-256 alone. A key has more than one while it is being
 * rotated, and then each but the newest ends by itself.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table api_key (
      id uuid primary key,
      name text not null constraint api_key_name_check check (char_length(name) between 1 and 100),
      scopes text[] not null constraint api_key_scopes_check check (cardinality(scopes) between 1 and 20),
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      expires_at timestamptz(3),
      revoked_at timestamptz(3),
      last_used_at timestamptz(3)
    )`.execute(db);
  await sql`create index api_key_created_at_idx on api_key (created_at, id)`.execute(db);
  await sql`
    create table api_key_secret (
      hash bytea primary key constraint api_key_secret_hash_check check (octet_length(hash) = 32),
      key_id uuid not null constraint api_key_secret_key_id_fkey references api_key (id) on delete cascade,
      hint text not null constraint api_key_secret_hint_check check (char_length(hint) between 1 and 20),
      created_at timestamptz(3) not null,
      ends_at timestamptz(3)
    )`.execute(db);
  await sql`create index api_key_secret_key_id_idx on api_key_secret (key_id, created_at)`.execute(db);
  await announceChanges(db);
}

/** Every server keeps the keys it met in memory; what changes one tells them all to look again. */
async function announceChanges(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function api_key_changed() returns trigger language plpgsql as $$
    begin
      perform pg_notify('roster_keys', '');
      return null;
    end $$`.execute(db);
  await sql`
    create trigger api_key_changed after update of scopes, expires_at, revoked_at or delete on api_key
    for each statement execute function api_key_changed()`.execute(db);
  await sql`
    create trigger api_key_secret_changed after update or delete on api_key_secret
    for each statement execute function api_key_changed()`.execute(db);
}
