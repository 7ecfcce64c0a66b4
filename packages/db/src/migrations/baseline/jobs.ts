/**
 * Background work (bulk changes, imports, scheduled and periodic work), and the running servers.
 *
 * A job's record IDs are fixed in batches when it is accepted: an array takes 16 bytes for each. A server
 * locks the job's row for a batch, so each is done once, and no lease remains if the server dies.
 */
export const jobs = [
  `create table job (
    id uuid primary key,
    resource text not null constraint job_resource_check check (resource in ('offices', 'agents', 'teams')),
    status text not null constraint job_status_check
      check (status in ('queued', 'running', 'completed', 'completed_with_errors', 'failed', 'cancelled')),
    filter json,
    change json,
    undoes uuid,
    reason text,
    total integer not null,
    changed integer not null default 0,
    unchanged integer not null default 0,
    rejected integer not null default 0,
    batches integer not null,
    next_batch integer not null default 0,
    created_at timestamptz(3) not null,
    created_by uuid,
    request_id text,
    started_at timestamptz(3),
    worked_at timestamptz(3) not null,
    finished_at timestamptz(3),
    office_ids uuid[],
    failure_code text,
    failure_detail text,
    partly_changed integer not null default 0
      constraint job_partly_changed_check check (partly_changed between 0 and changed),
    constraint job_change_check check ((change is null) = (undoes is not null)),
    constraint job_finished_check check ((finished_at is null) = (status in ('queued', 'running'))),
    constraint job_failure_check check ((failure_code is null) = (failure_detail is null))
  )`,
  'create index job_created_idx on job (created_at, id)',
  'create index job_unfinished_idx on job (worked_at) where finished_at is null',
  'create index job_undoes_idx on job (undoes) where undoes is not null',
  `create table job_batch (
    job_id uuid not null constraint job_batch_job_id_fkey references job (id) on delete cascade,
    number integer not null,
    ids uuid[] not null,
    changed uuid[] not null default '{}',
    primary key (job_id, number)
  )`,
  // IDs hardly compress.
  'alter table job_batch alter ids set storage external, alter changed set storage external',
  `create table job_error (
    job_id uuid not null constraint job_error_job_id_fkey references job (id) on delete cascade,
    id uuid not null,
    code text not null,
    detail text not null,
    created_at timestamptz(3) not null,
    fields json not null default '[]',
    primary key (job_id, id)
  )`,
  'create index job_error_created_idx on job_error (job_id, created_at, id)',
  // For jobs that were requested or continue.
  `create function job_queued() returns trigger language plpgsql as $$
    begin
      perform pg_notify('roster_jobs', '');
      return null;
    end $$`,
  `create trigger job_is_requested after insert on job
    for each statement execute function job_queued()`,
  `create trigger job_goes_on after update of finished_at on job
    for each row when (old.finished_at is not null and new.finished_at is null)
    execute function job_queued()`,

  // Has the ID of its job. Its rows, with their results, are kept as long as the job.
  `create table import (
    id uuid primary key constraint import_id_fkey references job (id) on delete cascade,
    step text not null constraint import_step_check check (step in ('read', 'check', 'write')),
    is_write boolean not null,
    settings json not null,
    position json not null,
    created integer not null default 0,
    updated integer not null default 0,
    unchanged integer not null default 0,
    errors integer not null default 0,
    warnings integer not null default 0,
    skipped integer not null default 0,
    findings json,
    accept_warnings text[] not null default '{}',
    skip text[] not null default '{}',
    updates_look_alikes boolean not null default false,
    columns_key text
  )`,
  'create index import_columns_idx on import (columns_key, id) where columns_key is not null',
  // An upload. Each chunk is a statement of its own, so that no transaction or lock is held while a client
  // sends. The row also reserves the job that will read the file.
  `create table upload (
    id uuid primary key,
    created_by uuid,
    expires_at timestamptz(3) not null,
    import_id uuid constraint upload_import_id_key unique
      constraint upload_import_id_fkey references import (id) on delete cascade
  )`,
  `create table upload_chunk (
    upload_id uuid not null constraint upload_chunk_upload_id_fkey references upload (id) on delete cascade,
    number integer not null,
    start bigint not null,
    text bytea not null,
    primary key (upload_id, number)
  )`,
  // A row is updated twice, by the check and the write; the free space keeps that out of the indexes.
  `create table import_row (
    import_id uuid not null constraint import_row_import_id_fkey references import (id) on delete cascade,
    row integer not null,
    id uuid not null,
    created_at timestamptz(3) not null,
    line integer not null,
    batch integer,
    source text,
    record_id text,
    email text,
    main text,
    level integer not null default 0,
    status text,
    record json,
    outcome text constraint import_row_outcome_check
      check (outcome in ('created', 'updated', 'unchanged', 'error', 'warning', 'skipped')),
    subject_id uuid,
    matched_by text,
    changes json not null default '[]',
    warnings text[] not null default '{}',
    cells json not null,
    look_alikes json not null default '[]',
    item_rows json,
    left_email text,
    linked_to integer,
    phone_country text constraint import_row_phone_country_check check (phone_country ~ '^[A-Z]{2}$'),
    cleared text[] not null default '{}',
    notes json not null default '[]',
    corrections json not null default '{}',
    same_as uuid,
    primary key (import_id, row)
  ) with (fillfactor = 45)`,
  'create index import_row_batch_idx on import_row (import_id, batch, row)',
  'create index import_row_source_idx on import_row (import_id, source) where source is not null',
  'create index import_row_main_idx on import_row (import_id, main) where main is not null',
  'create index import_row_listed_idx on import_row (import_id, created_at, id)',
  `create table import_error (
    import_id uuid not null constraint import_error_import_id_fkey references import (id) on delete cascade,
    id uuid not null,
    created_at timestamptz(3) not null,
    row integer not null,
    line integer not null,
    "column" text not null,
    value text,
    code text not null,
    detail text not null,
    primary key (import_id, id)
  )`,
  'create index import_error_listed_idx on import_error (import_id, created_at, id)',

  // The queue of scheduled changes and their results. No foreign keys: the target of a transfer may be
  // deleted, and the transfer then fails.
  `create table scheduled_change (
    id uuid primary key,
    resource text not null constraint scheduled_change_resource_check
      check (resource in ('offices', 'agents', 'teams')),
    subject_id uuid not null,
    change text not null constraint scheduled_change_change_check
      check (change in ('deactivate', 'reactivate', 'transfer', 'transfer_agents', 'update')),
    effective_at timestamptz(3) not null,
    office_id uuid,
    is_cascade boolean not null default false,
    patch json,
    job_id uuid,
    reason text,
    status text not null default 'pending' constraint scheduled_change_status_check
      check (status in ('pending', 'done', 'failed', 'cancelled')),
    scheduled_by uuid not null,
    scheduled_at timestamptz(3) not null,
    attempts integer not null default 0,
    due_at timestamptz(3) not null,
    finished_at timestamptz(3),
    error_code text,
    error text,
    office_ids uuid[],
    constraint scheduled_change_office_check
      check ((office_id is not null) = (change in ('transfer', 'transfer_agents'))),
    constraint scheduled_change_patch_check check ((patch is not null) = (change = 'update')),
    constraint scheduled_change_finished_check check ((finished_at is null) = (status = 'pending')),
    constraint scheduled_change_error_check check ((error_code is not null) = (status = 'failed'))
  )`,
  `create index scheduled_change_due_idx on scheduled_change (due_at) where status = 'pending'`,
  'create index scheduled_change_effective_at_idx on scheduled_change (effective_at, id)',
  'create index scheduled_change_scheduled_at_idx on scheduled_change (scheduled_at, id)',
  'create index scheduled_change_subject_idx on scheduled_change (subject_id, effective_at, id)',
  `create index scheduled_change_office_idx on scheduled_change (office_id, effective_at, id)
    where office_id is not null`,
  `create index scheduled_change_job_idx on scheduled_change (job_id, effective_at, id) where job_id is not null`,
  `create index scheduled_change_finished_idx on scheduled_change (finished_at) where status <> 'pending'`,

  // Unlogged: after a crash, periodic work runs at once, which is safe, and servers register again.
  `create unlogged table periodic_job (
    name text primary key,
    due_at timestamptz(3) not null
  )`,
  `create unlogged table running_server (
    id uuid primary key,
    host text not null constraint running_server_host_check check (char_length(host) between 1 and 255),
    pid int not null,
    version text not null constraint running_server_version_check check (char_length(version) between 1 and 50),
    started_at timestamptz(3) not null,
    seen_at timestamptz(3) not null
  )`,
  // One row: the counts of the directory, which are slow to make.
  `create table directory_stats (
    is_only boolean primary key default true constraint directory_stats_is_only_check check (is_only),
    counts json not null
  )`,
  // One row, or none: settings changed at run time.
  `create table directory_setting (
    is_only boolean primary key default true constraint directory_setting_is_only_check check (is_only),
    default_country text constraint directory_setting_default_country_check check (default_country ~ '^[A-Z]{2}$'),
    name text constraint directory_setting_name_check check (char_length(name) between 1 and 100),
    updated_at timestamptz(3) not null
  )`,
];
