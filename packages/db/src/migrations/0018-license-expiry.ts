import { type Kysely, sql } from 'kysely';
import { buildIndex } from './concurrent-index.ts';

export const isConcurrent = true;

/**
 * The earliest last day of the licences of a record, for its JSON and for lists in that order; the notices of licences that
 * expire, each of which is given once; and which server runs a periodic job next.
 *
 * Outside a transaction, so each statement can run again after a failure.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await expiryFunction(db);
  await notices(db);
  for (const table of ['office', 'agent'] as const) {
    // Records without a last day come last in both directions, so each direction has an index of its own.
    await buildIndex(db, `${table}_license_expiry_idx`, expiryIndex(table, '~'));
    await buildIndex(db, `${table}_license_expiry_desc_idx`, expiryIndex(table, ''));
  }
}

/**
 * A text, `YYYY-MM-DD`, which has the order of the days in the collation C: no cast fails on what was written by hand. PL/pgSQL
 * without a query takes a fraction of the time of one.
 */
async function expiryFunction(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function next_license_expiry(licenses jsonb) returns text
    language plpgsql immutable parallel safe as $$
    declare
      earliest text collate "C";
    begin
      for place in 0 .. jsonb_array_length(licenses) - 1 loop
        earliest := least(earliest, licenses -> place ->> 'expiresOn');
      end loop;
      return earliest;
    end $$`.execute(db);
}

/** An index of (day, id), in which records without a day have a text before or after all days. */
const expiryIndex = (table: string, none: '~' | '') =>
  `${table} ((coalesce(next_license_expiry(licenses), '${none}') collate "C"), id)`;

async function notices(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists license_notice (
      subject_id uuid not null,
      license jsonb not null,
      days_before int not null,
      noticed_at timestamptz(3) not null,
      primary key (subject_id, license, days_before)
    )`.execute(db);
  // Not logged: after a crash the job runs at once, which is safe.
  await sql`
    create unlogged table if not exists periodic_job (
      name text primary key,
      due_at timestamptz(3) not null
    )`.execute(db);
}
