import { type Kysely, sql } from 'kysely';

/**
 * Passkeys (WebAuthn), with which people sign in without an identity provider; the invitations with which they set them up; and by
 * which passkey a session was signed in. A passkey has a public key, an invitation the SHA-256 of its secret.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table passkey (
      id uuid primary key,
      person_id uuid not null constraint passkey_person_id_fkey references person (id) on delete cascade,
      credential_id bytea not null constraint passkey_credential_id_key unique
        constraint passkey_credential_id_check check (octet_length(credential_id) between 1 and 1023),
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null,
      is_synced boolean not null,
      name text not null constraint passkey_name_check check (char_length(name) between 1 and 100),
      created_at timestamptz(3) not null,
      last_used_at timestamptz(3)
    )`.execute(db);
  await sql`create index passkey_person_idx on passkey (person_id, created_at, id)`.execute(db);
  await sql`
    create table invitation (
      id uuid primary key,
      hash bytea not null constraint invitation_hash_key unique
        constraint invitation_hash_check check (octet_length(hash) = 32),
      person_id uuid not null constraint invitation_person_id_fkey references person (id) on delete cascade,
      created_at timestamptz(3) not null,
      created_by uuid,
      expires_at timestamptz(3) not null,
      accepted_at timestamptz(3),
      revoked_at timestamptz(3),
      mailed_to text,
      mailed_at timestamptz(3),
      is_mail_accepted boolean,
      mail_answer text
    )`.execute(db);
  await sql`create index invitation_person_idx on invitation (person_id, created_at, id)`.execute(db);
  await sql`create index invitation_created_idx on invitation (created_at, id)`.execute(db);
  await sql`alter table session add passkey_id uuid`.execute(db);
  await widenChecks(db);
}

/** The checks that allow more than before. */
async function widenChecks(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table session
      drop constraint session_method_check,
      add constraint session_method_check check (method in ('oidc', 'link', 'key', 'passkey')) not valid`.execute(
    db,
  );
  await sql`
    alter table sign_in
      drop constraint sign_in_kind_check,
      add constraint sign_in_kind_check
        check (kind in ('provider', 'link', 'terminal', 'logout', 'passkey')) not valid`.execute(db);
  await sql`
    alter table admin_event
      drop constraint admin_event_type_check,
      add constraint admin_event_type_check check (
        type ~ '^(key\\.(created|updated|rotated|revoked)|webhook\\.(created|updated|rotated|replayed|deleted)|person\\.(invited|updated|deactivated|reactivated|deleted|link_created)|invitation\\.(created|revoked|accepted)|passkey\\.(created|updated|deleted)|session\\.(created|ended)|access\\.denied)$'
      ) not valid`.execute(db);
}
