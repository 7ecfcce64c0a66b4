import { type RawBuilder, sql } from 'kysely';
import { isWithin } from '../access/office-limit.ts';

/**
 * Whether an event, by its columns, is within a limit. That of an agent is if the primary office before or after the change is, so that
 * an agent who leaves is seen leaving, and nothing after. That of an office is if the office itself or its main office before or
 * after the change is: a deleted office is no longer in the tree. Events of keys, people, sessions and webhooks never are, nor is
 * the event of the purge of an agent, which says nothing of an office.
 *
 * @param offices the ids of the limit's offices, as a parameter
 */
export function isEventWithin(offices: RawBuilder<unknown>): RawBuilder<boolean> {
  const isField = (values: string, field: string) =>
    sql`${isWithin(sql`(${sql.ref(values)} ->> ${sql.lit(field)})::uuid`, offices)} is true`;
  const isEither = (field: string) => sql`(${isField('record', field)} or ${isField('previous', field)})`;
  return sql<boolean>`(case
    when type like 'agent.%' then ${isEither('officeId')}
    when type like 'office.%' then ${isWithin(sql.ref('subject_id'), offices)} or ${isEither('mainOfficeId')}
    else false end)`;
}
