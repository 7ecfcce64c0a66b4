import { type Kysely, sql } from 'kysely';

/** Tells the servers of a job that can run: one that was requested, or one that had ended and goes on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function job_queued() returns trigger language plpgsql as $$
    begin
      perform pg_notify('roster_jobs', '');
      return null;
    end $$`.execute(db);
  await sql`
    create trigger job_is_requested after insert on job
    for each statement execute function job_queued()`.execute(db);
  await sql`
    create trigger job_goes_on after update of finished_at on job
    for each row when (old.finished_at is not null and new.finished_at is null)
    execute function job_queued()`.execute(db);
}
