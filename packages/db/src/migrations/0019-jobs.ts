import { type Kysely, sql } from 'kysely';

/**
 * Changes of many records, which run in the background. A job has the ids of its records in batches, fixed when it was
 * accepted: an array takes 16 bytes for each id. A server that works on a batch holds the row of the job until
 * its transaction ends, so a batch is done once, and no lease remains if the server dies.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table job (
      id uuid primary key,
      resource text not null constraint job_resource_check check (resource in ('offices', 'agents')),
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
      constraint job_change_check check ((change is null) = (undoes is not null)),
      constraint job_finished_check check ((finished_at is null) = (status in ('queued', 'running')))
    )`.execute(db);
  await sql`create index job_created_idx on job (created_at, id)`.execute(db);
  await sql`create index job_unfinished_idx on job (worked_at) where finished_at is null`.execute(db);
  await sql`create index job_undoes_idx on job (undoes) where undoes is not null`.execute(db);
  await sql`
    create table job_batch (
      job_id uuid not null constraint job_batch_job_id_fkey references job (id) on delete cascade,
      number integer not null,
      ids uuid[] not null,
      changed uuid[] not null default '{}',
      primary key (job_id, number)
    )`.execute(db);
  // Ids hardly compress.
  await sql`
    alter table job_batch alter ids set storage external, alter changed set storage external`.execute(db);
  await sql`
    create table job_error (
      job_id uuid not null constraint job_error_job_id_fkey references job (id) on delete cascade,
      id uuid not null,
      code text not null,
      detail text not null,
      created_at timestamptz(3) not null,
      primary key (job_id, id)
    )`.execute(db);
  await sql`create index job_error_created_idx on job_error (job_id, created_at, id)`.execute(db);
}
