import { type RawBuilder, sql } from 'kysely';
import { definitions } from '../../directory.ts';
import { isWithin, type OfficeLimit, officesValue } from '../../engine/office-limit.ts';

/**
 * Whether an event, by its columns, is within a limit: by the office that its record belonged to before or after the change, so that a
 * record which leaves is seen leaving, and nothing after. That of an office is also if the office itself is, because a deleted office
 * is no longer in the tree. Events of keys, people, sessions, webhooks and records without an office never are, nor is the event of the purge of a record, which
 * says nothing of its office.
 *
 * @param offices the ids of the limit's offices, as a parameter
 */
export function isEventWithin(offices: RawBuilder<unknown>): RawBuilder<boolean> {
  const isField = (values: string, field: string) =>
    sql`${isWithin(sql`(${sql.ref(values)} ->> ${sql.lit(field)})::uuid`, offices)} is true`;
  const isEither = (field: string) => sql`(${isField('record', field)} or ${isField('previous', field)})`;
  const cases = definitions.flatMap(({ table, limit, parent }) => {
    if (parent === undefined) return [];
    const isOfficeWithin =
      limit?.column === 'id' ? sql`${isWithin(sql.ref('subject_id'), offices)} or ` : sql``;
    return sql`when type like ${sql.lit(`${table}.%`)} then ${isOfficeWithin}${isEither(parent.field)}`;
  });
  return sql<boolean>`(case ${sql.join(cases, sql` `)} else false end)`;
}

/** The condition that an event is within the limit, behind others. */
export function andIsEventWithin(limit: OfficeLimit | undefined): RawBuilder<unknown> {
  return limit === undefined ? sql`` : sql` and ${isEventWithin(sql`${officesValue(limit)}`)}`;
}
