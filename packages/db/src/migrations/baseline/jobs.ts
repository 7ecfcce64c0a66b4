/**
 * Work in the background: changes of many records in batches, scheduled changes, and imports of files with their rows. A server that works on a
 * batch locks the row of the job until its transaction ends, so that a batch runs once.
 */
export const jobs = [
  `create table job (
  id uuid not null,
  resource text not null,
  status text not null,
  filter json,
  change json,
  undoes uuid,
  reason text,
  total integer not null,
  changed integer default 0 not null,
  unchanged integer default 0 not null,
  rejected integer default 0 not null,
  batches integer not null,
  next_batch integer default 0 not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  request_id text,
  started_at timestamptz(3),
  worked_at timestamptz(3) not null,
  finished_at timestamptz(3),
  office_ids uuid[],
  failure_code text,
  failure_detail text,
  partly_changed integer default 0 not null,
  constraint job_change_check check ((change is null) = (undoes is not null)),
  constraint job_failure_check check ((failure_code is null) = (failure_detail is null)),
  constraint job_finished_check check ((finished_at is null) = (status in ('queued', 'running'))),
  constraint job_status_check check (status in ('queued', 'running', 'completed', 'completed_with_errors', 'failed', 'cancelled')),
  constraint job_partly_changed_check check ((partly_changed >= 0) and (partly_changed <= changed)) not valid,
  constraint job_pkey primary key (id),
  constraint job_resource_check check (resource in ('offices', 'agents', 'teams')) not valid
)`,
  `create index job_created_idx on job (created_at, id)`,
  `create index job_undoes_idx on job (undoes) where (undoes is not null)`,
  `create index job_unfinished_idx on job (worked_at) where (finished_at is null)`,
  // The IDs of the records of a job, fixed when it was accepted. IDs hardly compress.
  `create table job_batch (
  job_id uuid not null,
  number integer not null,
  ids uuid[] not null,
  changed uuid[] default '{}' not null,
  constraint job_batch_pkey primary key (job_id, number),
  constraint job_batch_job_id_fkey foreign key (job_id) references job (id) on delete cascade
)`,
  `alter table job_batch alter column ids set storage external, alter column changed set storage external`,
  `create table job_error (
  job_id uuid not null,
  id uuid not null,
  code text not null,
  detail text not null,
  created_at timestamptz(3) not null,
  fields json default '[]' not null,
  constraint job_error_pkey primary key (job_id, id),
  constraint job_error_job_id_fkey foreign key (job_id) references job (id) on delete cascade
)`,
  `create index job_error_created_idx on job_error (job_id, created_at, id)`,
  // The column `scheduled_changes` of a record holds its pending ones, so that the JSON has them. No foreign key: the office of a
  // transfer may be deleted before its time, and the transfer then fails.
  `create table scheduled_change (
  id uuid not null,
  resource text not null,
  subject_id uuid not null,
  change text not null,
  effective_at timestamptz(3) not null,
  office_id uuid,
  is_cascade boolean default false not null,
  reason text,
  status text default 'pending' not null,
  scheduled_by uuid not null,
  scheduled_at timestamptz(3) not null,
  attempts integer default 0 not null,
  due_at timestamptz(3) not null,
  finished_at timestamptz(3),
  error_code text,
  error text,
  office_ids uuid[],
  constraint scheduled_change_change_check check (change in ('deactivate', 'reactivate', 'transfer', 'transfer_agents')),
  constraint scheduled_change_error_check check ((error_code is not null) = (status = 'failed')),
  constraint scheduled_change_finished_check check ((finished_at is null) = (status = 'pending')),
  constraint scheduled_change_office_check check ((office_id is not null) = (change in ('transfer', 'transfer_agents'))),
  constraint scheduled_change_status_check check (status in ('pending', 'done', 'failed', 'cancelled')),
  constraint scheduled_change_pkey primary key (id),
  constraint scheduled_change_resource_check check (resource in ('offices', 'agents', 'teams')) not valid
)`,
  `create index scheduled_change_due_idx on scheduled_change (due_at) where (status = 'pending')`,
  `create index scheduled_change_effective_at_idx on scheduled_change (effective_at, id)`,
  `create index scheduled_change_finished_idx on scheduled_change (finished_at) where (status <> 'pending')`,
  `create index scheduled_change_office_idx on scheduled_change (office_id, effective_at, id) where (office_id is not null)`,
  `create index scheduled_change_scheduled_at_idx on scheduled_change (scheduled_at, id)`,
  `create index scheduled_change_subject_idx on scheduled_change (subject_id, effective_at, id)`,
  // Files that are being received. Each piece is stored by a statement of its own: no transaction is open while a client sends.
  // The row also reserves the job that will read the file.
  `create table upload (
  id uuid not null,
  created_by uuid,
  expires_at timestamptz(3) not null,
  import_id uuid,
  constraint upload_import_id_key unique (import_id),
  constraint upload_pkey primary key (id)
)`,
  `create table upload_chunk (
  upload_id uuid not null,
  number integer not null,
  start bigint not null,
  text bytea not null,
  constraint upload_chunk_pkey primary key (upload_id, number),
  constraint upload_chunk_upload_id_fkey foreign key (upload_id) references upload (id) on delete cascade
)`,
  `create table import (
  id uuid not null,
  step text not null,
  is_write boolean not null,
  settings json not null,
  "position" json not null,
  created integer default 0 not null,
  findings json,
  unconfirmed text[] default '{}' not null,
  confirmed text[] default '{}' not null,
  skipped text[] default '{}' not null,
  constraint import_step_check check (step in ('read', 'check', 'write')),
  constraint import_pkey primary key (id),
  constraint import_id_fkey foreign key (id) references job (id) on delete cascade
)`,
  `alter table upload add constraint upload_import_id_fkey foreign key (import_id) references import (id) on delete cascade`,
  `create table import_error (
  import_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  "row" integer not null,
  line integer not null,
  "column" text not null,
  value text,
  code text not null,
  detail text not null,
  constraint import_error_pkey primary key (import_id, id),
  constraint import_error_import_id_fkey foreign key (import_id) references import (id) on delete cascade
)`,
  `create index import_error_listed_idx on import_error (import_id, created_at, id)`,
  // The rows change twice, by the check and when they are written: their pages leave room for it.
  `create table import_row (
  import_id uuid not null,
  "row" integer not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  line integer not null,
  batch integer,
  source text,
  record_id text,
  email text,
  main text,
  level integer default 0 not null,
  status text,
  record json,
  outcome text,
  subject_id uuid,
  matched_by text,
  changes json default '[]' not null,
  suspicious text[] default '{}' not null,
  cells json,
  look_alikes json default '[]' not null,
  item_rows json,
  phone_country text,
  cleared text[] default '{}' not null,
  constraint import_row_outcome_check check (outcome in ('created', 'updated', 'unchanged', 'rejected', 'skipped')),
  constraint import_row_phone_country_check check (phone_country ~ '^[A-Z]{2}$'::text) not valid,
  constraint import_row_pkey primary key (import_id, "row"),
  constraint import_row_import_id_fkey foreign key (import_id) references import (id) on delete cascade
)
with (fillfactor='45')`,
  `create index import_row_batch_idx on import_row (import_id, batch, "row")`,
  `create index import_row_listed_idx on import_row (import_id, created_at, id)`,
  `create index import_row_main_idx on import_row (import_id, main) where (main is not null)`,
  `create index import_row_source_idx on import_row (import_id, source) where (source is not null)`,
  // Notifies the servers of a job that can run: a new one, or one that resumes.
  `create function job_queued() returns trigger language plpgsql as $$
  begin
    perform pg_notify('roster_jobs', '');
    return null;
  end
$$`,
  `create trigger job_goes_on after update of finished_at on job
  for each row when (((old.finished_at is not null) and (new.finished_at is null))) execute function job_queued()`,
  `create trigger job_is_requested after insert on job for each statement execute function job_queued()`,
];
