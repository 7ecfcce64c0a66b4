import type { Kysely } from 'kysely';
import { buildIndex } from './concurrent-index.ts';

export const isConcurrent = true;

/** The email addresses and the names of records that were merged, as imports compare them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isKnown = (column: string) => `where undone_at is null and ${column} is not null`;
  const email = 'lower(email collate "und-x-icu")';
  await buildIndex(db, 'record_merge_email_idx', `record_merge (collection, (${email})) ${isKnown('email')}`);
  const name = 'upper(normalize(name, nfkc) collate "und-x-icu") collate "C"';
  await buildIndex(db, 'record_merge_name_idx', `record_merge (collection, (${name})) ${isKnown('name')}`);
}
