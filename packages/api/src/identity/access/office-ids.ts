import type { Database } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { OfficeLimit } from '../../engine/office-limit.ts';
import { RosterError } from '../../errors/roster-error.ts';

/**
 * Keys, people, webhooks and jobs are limited to some offices themselves, or not at all (null). A caller who is limited manages
 * those that have no office that the caller has not.
 */

/** Whether a limit has all offices to which something else is limited. */
export function containsOffices(
  limit: OfficeLimit | undefined,
  officeIds: readonly string[] | null,
): boolean {
  return limit === undefined || (officeIds?.every((id) => limit.offices.has(id)) ?? false);
}

/** The same of the column `office_ids` of a row, with the offices of the limit as a parameter. */
export function isContained(offices: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`office_ids <@ ${offices}::uuid[]`;
}

/**
 * The offices that a caller gives to something new or changed: as requested, or if nothing is requested, those that were granted to
 * the caller. Throws `insufficient_scope` if a limited caller would give everything, and `reference_not_found` for an office
 * that does not exist or is not within the limit.
 */
export async function givenOffices(
  db: Kysely<Database>,
  limit: OfficeLimit | undefined,
  requested: readonly string[] | null | undefined,
): Promise<string[] | null> {
  if (requested === undefined) return limit === undefined ? null : [...limit.granted];
  await checkOffices(db, limit, [{ pointer: '#/officeIds', officeIds: requested }]);
  return requested === null ? null : [...new Set(requested)];
}

/**
 * Checks the offices that a caller gives, in several fields. Throws `insufficient_scope` if a limited caller would give everything
 * (null), and `reference_not_found` for offices that do not exist or are not within the limit.
 */
export async function checkOffices(
  db: Kysely<Database>,
  limit: OfficeLimit | undefined,
  fields: readonly { pointer: string; officeIds: readonly string[] | null }[],
): Promise<void> {
  if (limit !== undefined && fields.some(({ officeIds }) => officeIds === null))
    throw new RosterError('insufficient_scope', 'officeIds must only include offices that you can grant.');
  const isGiven = await existing(
    db,
    limit,
    fields.flatMap(({ officeIds }) => officeIds ?? []),
  );
  const errors = fields.flatMap(({ pointer, officeIds }) =>
    (officeIds ?? []).flatMap((id, index) =>
      isGiven(id)
        ? []
        : [{ pointer: `${pointer}/${index}`, code: 'not_found', detail: 'is not an existing record' }],
    ),
  );
  if (errors.length > 0)
    throw new RosterError('reference_not_found', 'officeIds includes an ID that is not an existing office.', {
      errors,
    });
}

/** Tells which offices exist for a caller. */
async function existing(
  db: Kysely<Database>,
  limit: OfficeLimit | undefined,
  ids: readonly string[],
): Promise<(id: string) => boolean> {
  const within = limit === undefined ? ids : ids.filter((id) => limit.offices.has(id));
  if (within.length === 0) return () => false;
  const { rows } = await sql<{ id: string }>`
    select id from office where id = any(${within}::uuid[])`.execute(db);
  const found = new Set(rows.map(({ id }) => id));
  return (id) => found.has(id);
}
