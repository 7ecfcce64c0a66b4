import type { Database } from '@roster/db';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { limitColumnOf } from '../engine/definition.ts';
import { andIsWithin, type OfficeLimit } from '../engine/office-limit.ts';
import { nameKeySql, withoutCaseSql } from '../engine/sameness/sql.ts';
import type { ImportDefinition } from './definitions.ts';
import type { ImportCandidate } from './row-as-read.ts';

/** The record that an email address or a name leads to. */
export interface EmailMatch {
  id: string;
  /** Whether it has the address or the name by a merge. */
  isMerged: boolean;
  /** Whether it has the address by a merge, and keeps its own. */
  isEmailMerged: boolean;
  /** The name that the merge took, by which the record is known too. */
  mergedName: string | null;
}

/** A way in which a wanted record leads to one: by what that has, or else by what a merge took (`merged`), of it (`found`) or of another one. */
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
 * The records within the limit that have the email addresses of these, ignoring case: of agents, whose addresses are unique, by the
 * address alone; of offices, which may share one, by address and name, where one office alone has both. Those whose items are rows of a file
 * are found by the name alone if they have no address. What no record has leads to the one into which a record that had it was merged.
 */
export async function findByEmail(
  trx: Transaction<Database>,
  candidates: ImportCandidate[],
  { definition, limit }: { definition: ImportDefinition; limit: OfficeLimit | undefined },
): Promise<Map<ImportCandidate, EmailMatch>> {
  const { resource, isEmailUnique } = definition;
  const wanted = candidates.map(({ fields: { email, name } }, place) => ({ place, email, name }));
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
  const isNameEnough = candidates.some(({ fields: { email } }) => typeof email !== 'string');
  const ways = [isEmailUnique ? byEmail : byEmailAndName, ...(isNameEnough ? [byName] : [])];
  const { rows } = await sql<EmailMatch & { place: number }>`
    with wanted as (
      select * from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as wanted (place int, email text, name text)
    )
    select place, min(id::text) as id, bool_or(is_merged) as "isMerged", bool_or(is_email_merged) as "isEmailMerged",
      min(merged_name) as "mergedName"
    from (${sql.join(ways.flatMap(rowsOf), sql` union all `)}) as led (place, id, is_merged, is_email_merged, merged_name)
    group by place having count(distinct id) = 1`.execute(trx);
  return new Map(rows.map(({ place, ...match }) => [candidates[place] as ImportCandidate, match]));
}
