import { type RawBuilder, sql } from 'kysely';
import { definitions } from '../directory/registry.ts';
import { isWithin, type OfficeLimit, officesValue } from '../engine/office-limit.ts';

/**
 * Whether an event is within a limit, by its record's office before or after the change, so that a leaving
 * record is seen leaving. For an office also by its own ID, because a deleted office is no longer in the
 * tree. Events of keys, people, sessions, webhooks and records without an office never are, nor is a purge.
 *
 * @param offices the IDs of the limit's offices, as a parameter
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

export function andIsEventWithin(limit: OfficeLimit | undefined): RawBuilder<unknown> {
  return limit === undefined ? sql`` : sql` and ${isEventWithin(sql`${officesValue(limit)}`)}`;
}
