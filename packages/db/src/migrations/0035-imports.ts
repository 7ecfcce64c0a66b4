import { type Kysely, sql } from 'kysely';

/**
 * Files that jobs import. The text of a file is kept in pieces until its rows are read; the rows stay, with what became of them, as
 * long as the job.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table import (
      id uuid primary key constraint import_id_fkey references job (id) on delete cascade,
      step text not null constraint import_step_check check (step in ('read', 'check', 'write')),
      is_write boolean not null,
      settings json not null,
      position json not null,
      created integer not null default 0,
      findings json,
      unconfirmed text[] not null default '{}',
      confirmed text[] not null default '{}',
      skipped text[] not null default '{}'
    )`.execute(db);
  await sql`
    create table import_chunk (
      import_id uuid not null constraint import_chunk_import_id_fkey references import (id) on delete cascade,
      number integer not null,
      start bigint not null,
      text bytea not null,
      primary key (import_id, number)
    )`.execute(db);
  await sql`
    create table import_row (
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
        check (outcome in ('created', 'updated', 'unchanged', 'rejected', 'skipped')),
      subject_id uuid,
      matched_by text,
      changes json not null default '[]',
      suspicious text[] not null default '{}',
      primary key (import_id, row)
    )`.execute(db);
  await sql`create index import_row_batch_idx on import_row (import_id, batch, row)`.execute(db);
  await sql`create index import_row_source_idx on import_row (import_id, source) where source is not null`.execute(
    db,
  );
  await sql`create index import_row_main_idx on import_row (import_id, main) where main is not null`.execute(
    db,
  );
  await sql`create index import_row_listed_idx on import_row (import_id, created_at, id)`.execute(db);
  await sql`
    create table import_error (
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
    )`.execute(db);
  await sql`create index import_error_listed_idx on import_error (import_id, created_at, id)`.execute(db);
}
