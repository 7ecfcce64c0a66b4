import { type Kysely, sql } from 'kysely';

/** Why a job has failed: an error code, and what callers are told. Jobs that failed before this release have neither. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table job
      add failure_code text,
      add failure_detail text,
      add constraint job_failure_check check ((failure_code is null) = (failure_detail is null))`.execute(db);
}
