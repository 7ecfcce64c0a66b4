import { type Kysely, sql } from 'kysely';

/**
 * Which primaries have written this database, one after the other: a promotion begins another timeline, a restore another
 * cluster. The row is written on the primary, so a replica that has it has everything before it too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table primary_term (
      term integer primary key,
      id uuid not null,
      system_identifier bigint not null,
      timeline text not null,
      begun_at timestamptz(3) not null,
      constraint primary_term_system_identifier_timeline_key unique (system_identifier, timeline)
    )`.execute(db);
}
