import { type Kysely, sql } from 'kysely';

/** An undo takes back the fields that still have the values of a job, and says which of a record it keeps. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table job_error add fields json not null default '[]'`.execute(db);
  await sql`alter table job add partly_changed integer not null default 0`.execute(db);
  await sql`
    alter table job add constraint job_partly_changed_check
      check (partly_changed between 0 and changed) not valid`.execute(db);
}
