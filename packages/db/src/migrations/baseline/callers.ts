/**
 * Keys and people, and how people sign in. Secrets are stored as SHA-256. `office_ids` is a limit to offices
 * with their branches; null for none. Also used for webhooks, jobs and scheduled changes.
 */
export const callers = [
  `create table api_key (
    id uuid primary key,
    name text not null constraint api_key_name_check check (char_length(name) between 1 and 100),
    scopes text[] not null constraint api_key_scopes_check check (cardinality(scopes) between 1 and 20),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    expires_at timestamptz(3),
    revoked_at timestamptz(3),
    last_used_at timestamptz(3),
    created_by uuid,
    office_ids uuid[]
  )`,
  'create index api_key_created_at_idx on api_key (created_at, id)',
  // Several during a rotation, when all but the newest expire.
  `create table api_key_secret (
    hash bytea primary key constraint api_key_secret_hash_check check (octet_length(hash) = 32),
    key_id uuid not null constraint api_key_secret_key_id_fkey references api_key (id) on delete cascade,
    hint text not null constraint api_key_secret_hint_check check (char_length(hint) between 1 and 20),
    created_at timestamptz(3) not null,
    ends_at timestamptz(3)
  )`,
  'create index api_key_secret_key_id_idx on api_key_secret (key_id, created_at)',
  // grants: a list of { role, officeIds }; null offices mean all.
  `create table person (
    id uuid primary key,
    name text not null constraint person_name_check check (char_length(name) between 1 and 200),
    email text not null constraint person_email_check check (char_length(email) between 3 and 254),
    status text not null constraint person_status_check check (status in ('invited', 'active', 'inactive')),
    grants jsonb not null constraint person_grants_check check (jsonb_typeof(grants) = 'array'),
    issuer text,
    subject text constraint person_subject_check check (char_length(subject) between 1 and 255),
    created_at timestamptz(3) not null,
    created_by uuid,
    updated_at timestamptz(3) not null,
    last_signed_in_at timestamptz(3),
    constraint person_identity_check check ((issuer is null) = (subject is null)),
    constraint person_identity_key unique (issuer, subject)
  )`,
  `create unique index person_email_key on person (lower(email collate "und-x-icu"))`,
  'create index person_created_idx on person (created_at, id)',
  `create table passkey (
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
  )`,
  'create index passkey_person_idx on passkey (person_id, created_at, id)',
  `create table invitation (
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
    mail_response text
  )`,
  'create index invitation_person_idx on invitation (person_id, created_at, id)',
  'create index invitation_created_idx on invitation (created_at, id)',

  // Belongs to a person, a key, or ROSTER_ADMIN_KEY by its SHA-256. One opened by a link belongs to the
  // session that made the link, and shares its passkey, provider session and sign-in time.
  `create table session (
    id uuid primary key,
    hash bytea not null constraint session_hash_key unique
      constraint session_hash_check check (octet_length(hash) = 32),
    person_id uuid constraint session_person_id_fkey references person (id) on delete cascade,
    key_id uuid constraint session_key_id_fkey references api_key (id) on delete cascade,
    admin_key_hash bytea,
    method text not null constraint session_method_check
      check (method in ('oidc', 'link', 'key', 'passkey', 'email')),
    client text,
    provider_session text constraint session_provider_session_check
      check (char_length(provider_session) between 1 and 255),
    id_token text,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    last_used_at timestamptz(3) not null,
    ended_at timestamptz(3),
    passkey_id uuid constraint session_passkey_id_fkey references passkey (id) on delete cascade,
    opened_by uuid constraint session_opened_by_fkey references session (id) on delete cascade
      constraint session_opened_by_check check (opened_by is null or method = 'link'),
    signed_in_at timestamptz(3) not null constraint session_signed_in_at_check check (signed_in_at <= created_at),
    constraint session_owner_check check (num_nonnulls(person_id, key_id, admin_key_hash) = 1)
  )`,
  'create index session_person_idx on session (person_id, created_at, id)',
  'create index session_key_idx on session (key_id, created_at, id)',
  'create index session_created_idx on session (created_at, id)',
  'create index session_expires_idx on session (expires_at)',
  'create index session_provider_idx on session (provider_session) where provider_session is not null',
  'create index session_opened_by_idx on session (opened_by) where opened_by is not null',
  'create index session_passkey_idx on session (passkey_id) where passkey_id is not null',

  // A pending sign-in, a link or a terminal's code, each used once. Ends with the person, key, session or
  // provider session it belongs to.
  `create table sign_in (
    hash bytea primary key constraint sign_in_hash_check check (octet_length(hash) = 32),
    kind text not null constraint sign_in_kind_check
      check (kind in ('provider', 'link', 'terminal', 'logout', 'passkey', 'email')),
    data json not null,
    expires_at timestamptz(3) not null,
    person_id uuid constraint sign_in_person_id_fkey references person (id) on delete cascade,
    key_id uuid constraint sign_in_key_id_fkey references api_key (id) on delete cascade,
    admin_key_hash bytea,
    session_id uuid constraint sign_in_session_id_fkey references session (id) on delete cascade,
    provider_session text,
    constraint sign_in_owner_check check (num_nonnulls(person_id, key_id, admin_key_hash) <= 1),
    constraint sign_in_session_check
      check (session_id is null or num_nonnulls(person_id, key_id, admin_key_hash) = 1),
    constraint sign_in_link_check check (kind <> 'link' or person_id is null or session_id is not null)
  )`,
  'create index sign_in_expires_idx on sign_in (expires_at)',
  'create index sign_in_person_idx on sign_in (person_id) where person_id is not null',
  'create index sign_in_key_idx on sign_in (key_id) where key_id is not null',
  'create index sign_in_session_idx on sign_in (session_id) where session_id is not null',
  'create index sign_in_provider_idx on sign_in (provider_session) where provider_session is not null',

  // Servers cache callers; a change makes all of them reread.
  `create function api_key_changed() returns trigger language plpgsql as $$
    begin
      perform pg_notify('roster_keys', '');
      return null;
    end $$`,
  `create trigger api_key_changed after update of scopes, expires_at, revoked_at or delete on api_key
    for each statement execute function api_key_changed()`,
  `create trigger api_key_limit_changed after update of office_ids, name on api_key
    for each statement execute function api_key_changed()`,
  `create trigger api_key_secret_changed after update or delete on api_key_secret
    for each statement execute function api_key_changed()`,
  `create trigger person_changed after update of name, status, grants or delete on person
    for each statement execute function api_key_changed()`,
  `create trigger session_changed after update of expires_at, ended_at or delete on session
    for each statement execute function api_key_changed()`,

  // Saved views. The owner is a key or a person, hence no foreign key. query and columns are JSON as sent;
  // nothing is looked up in them.
  `create table saved_view (
    id uuid primary key,
    name text not null constraint saved_view_name_check check (char_length(name) between 1 and 200),
    resource text not null constraint saved_view_resource_check check (resource in ('offices', 'agents', 'teams')),
    is_shared boolean not null,
    query json not null constraint saved_view_query_check check (json_typeof(query) = 'object'),
    columns json not null constraint saved_view_columns_check check (json_typeof(columns) = 'array'),
    version int not null,
    created_at timestamptz(3) not null,
    created_by uuid not null,
    updated_at timestamptz(3) not null
  )`,
  'create index saved_view_owner_idx on saved_view (created_by, created_at, id)',
  'create index saved_view_shared_idx on saved_view (created_at, id) where is_shared',
  // Shared views stay when their owner goes.
  `create function delete_private_views() returns trigger language plpgsql as $$
    begin
      delete from saved_view where created_by = old.id and not is_shared;
      return null;
    end $$`,
  `create trigger person_private_views after delete on person
    for each row execute function delete_private_views()`,
  `create trigger api_key_private_views after update of revoked_at on api_key
    for each row when (old.revoked_at is null and new.revoked_at is not null)
    execute function delete_private_views()`,
];
