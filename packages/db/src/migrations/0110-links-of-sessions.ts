import { type Kysely, sql } from 'kysely';

/**
 * A link belongs to the session that made it, and the session that it opens to that one: it has its passkey, its session at the
 * identity provider, and the time at which its person signed in. A sign-in that waits to be used names whose it is, so that it ends
 * with the person, the key, the session, or the session at the provider.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await openedSessions(db);
  await ownedSignIns(db);
  await sql`
    alter table person
      add constraint person_subject_check check (char_length(subject) between 1 and 255) not valid`.execute(
    db,
  );
}

async function openedSessions(db: Kysely<unknown>): Promise<void> {
  await sql`
    delete from session
    where passkey_id is not null and not exists (select from passkey where passkey.id = passkey_id)`.execute(
    db,
  );
  await sql`
    alter table session
      add opened_by uuid constraint session_opened_by_fkey references session (id) on delete cascade,
      add signed_in_at timestamptz(3),
      add constraint session_passkey_id_fkey foreign key (passkey_id) references passkey (id) on delete cascade,
      add constraint session_provider_session_check
        check (char_length(provider_session) between 1 and 255) not valid,
      add constraint session_opened_by_check check (opened_by is null or method = 'link') not valid`.execute(
    db,
  );
  await sql`update session set signed_in_at = created_at`.execute(db);
  await sql`
    alter table session
      alter signed_in_at set not null,
      add constraint session_signed_in_at_check check (signed_in_at <= created_at)`.execute(db);
}

/** The links and codes of before do not say whose they are, and are made again: they work for ten minutes. */
async function ownedSignIns(db: Kysely<unknown>): Promise<void> {
  await sql`delete from sign_in where kind in ('link', 'terminal')`.execute(db);
  await sql`drop index sign_in_link_idx`.execute(db);
  await sql`
    alter table sign_in
      add person_id uuid constraint sign_in_person_id_fkey references person (id) on delete cascade,
      add key_id uuid constraint sign_in_key_id_fkey references api_key (id) on delete cascade,
      add admin_key_hash bytea,
      add session_id uuid constraint sign_in_session_id_fkey references session (id) on delete cascade,
      add provider_session text,
      add constraint sign_in_owner_check check (num_nonnulls(person_id, key_id, admin_key_hash) <= 1),
      add constraint sign_in_session_check
        check (session_id is null or num_nonnulls(person_id, key_id, admin_key_hash) = 1),
      add constraint sign_in_link_check check (kind <> 'link' or person_id is null or session_id is not null)`.execute(
    db,
  );
}
