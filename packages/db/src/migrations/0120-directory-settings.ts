import { type Kysely, sql } from 'kysely';

/** The settings of the directory that people change while it runs, and the country by which an import reads the phone numbers of a row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table directory_setting (
      is_only boolean primary key default true constraint directory_setting_is_only_check check (is_only),
      default_country text constraint directory_setting_default_country_check check (default_country ~ '^[A-Z]{2}$'),
      updated_at timestamptz(3) not null
    )`.execute(db);
  await sql`
    alter table import_row
      add phone_country text,
      add constraint import_row_phone_country_check check (phone_country ~ '^[A-Z]{2}$') not valid`.execute(
    db,
  );
}
