import { type Kysely, sql } from 'kysely';

/** Imported agents may name their office: names are found ignoring case, however many offices there are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index office_folded_name_idx on office ((upper(normalize(name, nfkc) collate "und-x-icu") collate "C"))`.execute(
    db,
  );
}
