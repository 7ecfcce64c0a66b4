import type { Database } from '@roster/db';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { limitColumnOf } from '../engine/definition.ts';
import { andIsWithin, type OfficeLimit } from '../engine/office-limit.ts';
import { nameKeySql, withoutCaseSql } from '../engine/sameness/sql.ts';
import type { ImportDefinition } from './definitions.ts';
import type { PlacedRow } from './rows.ts';

/** A record that an email address or a name leads to. */
export interface EmailMatch {
  id: string;
  /** Whether a merge gave it the address or the name. */
  isMerged: boolean;
  /** Whether a merge gave it the address; it keeps its own. */
  isEmailMerged: boolean;
  /** The name that the merge took, by which the record is known too. */
  mergedName: string | null;
}

/** A way to find a record: by its own values, or else by those of a duplicate (`merged`) of the survivor (`found`). */
interface Way {
  own: RawBuilder<unknown>;
  merged: readonly { condition: RawBuilder<unknown>; isEmailMerged: boolean }[];
}

const hasEmail = (of: string) =>
  sql`${withoutCaseSql(sql.ref(`${of}.email`))} = ${withoutCaseSql(sql`wanted.email`)}`;
const hasName = (of: string) => sql`${nameKeySql(sql.ref(`${of}.name`))} = ${nameKeySql(sql`wanted.name`)}`;

const byEmail: Way = {
  own: hasEmail('own'),
  merged: [{ condition: hasEmail('merged'), isEmailMerged: true }],
};
const byEmailAndName: Way = {
  own: sql`${hasEmail('own')} and ${hasName('own')}`,
  merged: [
    {
      condition: sql`${hasEmail('merged')} and (${hasName('merged')} or ${hasName('found')})`,
      isEmailMerged: true,
    },
    { condition: sql`${hasName('merged')} and ${hasEmail('found')}`, isEmailMerged: false },
  ],
};
const isWithoutEmail = sql`wanted.email is null`;
const byName: Way = {
  own: sql`${isWithoutEmail} and ${hasName('own')}`,
  merged: [{ condition: sql`${isWithoutEmail} and ${hasName('merged')}`, isEmailMerged: false }],
};

/**
 * Finds the records within the limit that have the email addresses of rows, ignoring case. Where an address isn't unique, the name must be
 * the same too, and only one record may have both. A row whose items are rows of a file is found by the name alone if it has no
 * address. If no record has an address or a name, that of a merged duplicate leads to the survivor.
 */
export async function findByEmailOrName(
  trx: Transaction<Database>,
  rows: readonly PlacedRow[],
  { definition, limit }: { definition: ImportDefinition; limit: OfficeLimit | undefined },
): Promise<Map<PlacedRow, EmailMatch>> {
  if (rows.length === 0) return new Map();
  const { resource, isEmailUnique } = definition;
  const wanted = rows.map(({ fields: { email, name } }, place) => ({ place, email, name }));
  const isSeen = (of: string) => andIsWithin(limitColumnOf(resource, of), limit);
  const records = (as: string) => sql`${sql.table(resource.table)} as ${sql.ref(as)}`;
  const rowsOf = ({ own, merged }: Way) => [
    sql`
      select place, own.id, false, false, null from wanted join ${records('own')} on ${own}${isSeen('own')}`,
    ...merged.map(
      ({ condition, isEmailMerged }) => sql`
      select place, found.id, true, ${sql.lit(isEmailMerged)}, merged.name
      from wanted
        join record_merge as merged on merged.collection = ${resource.name} and merged.undone_at is null
        join ${records('found')} on found.id = merged_into(merged.duplicate_id)${isSeen('found')} and ${condition}
      where not exists (select from ${records('own')} where ${own}${isSeen('own')})`,
    ),
  ];
  const isNameEnough = rows.some(({ fields: { email } }) => typeof email !== 'string');
  const ways = [isEmailUnique ? byEmail : byEmailAndName, ...(isNameEnough ? [byName] : [])];
  const { rows: found } = await sql<EmailMatch & { place: number }>`
    with wanted as (
      select * from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as wanted (place int, email text, name text)
    )
    select place, min(id::text) as id, bool_or(is_merged) as "isMerged", bool_or(is_email_merged) as "isEmailMerged",
      min(merged_name) as "mergedName"
    from (${sql.join(ways.flatMap(rowsOf), sql` union all `)}) as led (place, id, is_merged, is_email_merged, merged_name)
    group by place having count(distinct id) = 1`.execute(trx);
  return new Map(found.map(({ place, ...match }) => [rows[place] as PlacedRow, match]));
}
