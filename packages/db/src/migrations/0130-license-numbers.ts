import { type Kysely, sql } from 'kysely';
import { buildIndex, dropIndex } from './concurrent-index.ts';

export const isConcurrent = true;

/**
 * The numbers of licences as they are compared: `sl777` is `SL777`, and `L-1` is `L1`. The index on them takes the place of that on the
 * licences themselves.
 *
 * Outside a transaction, so each statement can run again after a failure.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await keysFunction(db);
  for (const table of ['office', 'agent'] as const) {
    await buildIndex(db, `${table}_license_number_idx`, `${table} using gin (license_number_keys(licenses))`);
    await dropIndex(db, `${table}_licenses_idx`);
  }
}

/** White space and signs. `resources/sameness/licenses.ts` of the service has the same. */
const signs = String.raw`[\t\n\r\u0020-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u2212\u2215\u3000-\u3003\u3008-\u3020\u3030]+`;

/** Letters and digits in capitals; a number of signs alone is itself. PL/pgSQL without a query takes a fraction of the time of one. */
async function keysFunction(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function license_number_keys(licenses jsonb) returns text[]
    language plpgsql immutable parallel safe as $$
    declare
      keys text[] := '{}';
      capitals text;
    begin
      for place in 0 .. jsonb_array_length(licenses) - 1 loop
        capitals := normalize(upper(normalize(licenses -> place ->> 'number', nfkc) collate "und-x-icu"), nfc);
        keys := keys || coalesce(nullif(regexp_replace(capitals, ${sql.lit(signs)}, '', 'g'), ''), capitals);
      end loop;
      return keys;
    end $$`.execute(db);
}
