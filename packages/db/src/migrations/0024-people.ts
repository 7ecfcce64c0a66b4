import { type Kysely, sql } from 'kysely';

/**
 * People, who sign in, with their roles; their sessions; and the limit of a caller to some offices, which a key, a webhook,
 * a job and a scheduled change have too.
 *
 * Servers of the release before know no limits: a key that is limited has all offices there. So limit keys when all servers have
 * this release.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await people(db);
  await sessions(db);
  await limits(db);
  await announceChanges(db);
  await sql`
    alter table admin_event
      drop constraint admin_event_type_check,
      add constraint admin_event_type_check check (
        type ~ '^(key\\.(created|updated|rotated|revoked)|webhook\\.(created|updated|rotated|replayed|deleted)|person\\.(invited|updated|deactivated|reactivated|deleted)|session\\.(created|ended)|access\\.denied)$'
      ) not valid`.execute(db);
}

/** `grants` is a list of `{ role, officeIds }`, in which no offices (null) are all of them. */
async function people(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table person (
      id uuid primary key,
      name text not null constraint person_name_check check (char_length(name) between 1 and 200),
      email text not null constraint person_email_check check (char_length(email) between 3 and 254),
      status text not null constraint person_status_check check (status in ('invited', 'active', 'inactive')),
      grants jsonb not null constraint person_grants_check check (jsonb_typeof(grants) = 'array'),
      issuer text,
      subject text,
      created_at timestamptz(3) not null,
      created_by uuid,
      updated_at timestamptz(3) not null,
      last_signed_in_at timestamptz(3),
      constraint person_identity_check check ((issuer is null) = (subject is null)),
      constraint person_identity_key unique (issuer, subject)
    )`.execute(db);
  await sql`create unique index person_email_key on person (lower(email collate "und-x-icu"))`.execute(db);
  await sql`create index person_created_idx on person (created_at, id)`.execute(db);
}

/**
 * A session belongs to a person, to a key, or, of ROSTER_ADMIN_KEY, to the SHA-256 of that. `sign_in` has what waits to be used once:
 * a sign-in that is under way at the identity provider, a link, or a code for a terminal.
 */
async function sessions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table session (
      id uuid primary key,
      hash bytea not null constraint session_hash_key unique
        constraint session_hash_check check (octet_length(hash) = 32),
      person_id uuid constraint session_person_id_fkey references person (id) on delete cascade,
      key_id uuid constraint session_key_id_fkey references api_key (id) on delete cascade,
      admin_key_hash bytea,
      method text not null constraint session_method_check check (method in ('oidc', 'link', 'key')),
      client text,
      provider_session text,
      id_token text,
      created_at timestamptz(3) not null,
      expires_at timestamptz(3) not null,
      last_used_at timestamptz(3) not null,
      ended_at timestamptz(3),
      constraint session_owner_check check (num_nonnulls(person_id, key_id, admin_key_hash) = 1)
    )`.execute(db);
  await sql`create index session_person_idx on session (person_id, created_at, id)`.execute(db);
  await sql`create index session_key_idx on session (key_id, created_at, id)`.execute(db);
  await sql`create index session_created_idx on session (created_at, id)`.execute(db);
  await sql`create index session_expires_idx on session (expires_at)`.execute(db);
  await sql`create index session_provider_idx on session (provider_session) where provider_session is not null`.execute(
    db,
  );
  await sql`
    create table sign_in (
      hash bytea primary key constraint sign_in_hash_check check (octet_length(hash) = 32),
      kind text not null constraint sign_in_kind_check check (kind in ('provider', 'link', 'terminal', 'logout')),
      data json not null,
      expires_at timestamptz(3) not null
    )`.execute(db);
  await sql`create index sign_in_expires_idx on sign_in (expires_at)`.execute(db);
}

async function limits(db: Kysely<unknown>): Promise<void> {
  await sql`alter table api_key add office_ids uuid[]`.execute(db);
  await sql`alter table webhook add office_ids uuid[]`.execute(db);
  await sql`alter table job add office_ids uuid[]`.execute(db);
  await sql`alter table scheduled_change add office_ids uuid[]`.execute(db);
}

/**
 * Every server keeps callers in memory and reads them again when a person, a session or a limit changes, and callers that are limited to offices
 * when the tree of the offices does.
 */
async function announceChanges(db: Kysely<unknown>): Promise<void> {
  for (const [table, columns] of [
    ['person', 'name, status, grants'],
    ['session', 'expires_at, ended_at'],
  ]) {
    await sql`
      create trigger ${sql.ref(`${table}_changed`)} after update of ${sql.raw(columns ?? '')} or delete on ${sql.table(table ?? '')}
      for each statement execute function api_key_changed()`.execute(db);
  }
  await sql`
    create trigger api_key_limit_changed after update of office_ids, name on api_key
    for each statement execute function api_key_changed()`.execute(db);
  await sql`
    create function office_tree_changed() returns trigger language plpgsql as $$
    begin
      perform pg_notify('roster_offices', '');
      return null;
    end $$`.execute(db);
  await sql`
    create trigger office_tree_grows after insert on office
    for each row when (new.main_office_id is not null) execute function office_tree_changed()`.execute(db);
  await sql`
    create trigger office_tree_changes after update of main_office_id on office
    for each row when (new.main_office_id is distinct from old.main_office_id)
    execute function office_tree_changed()`.execute(db);
  await sql`
    create trigger office_tree_shrinks after delete on office
    for each row when (old.main_office_id is not null) execute function office_tree_changed()`.execute(db);
}
