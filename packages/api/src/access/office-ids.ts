import type { Database } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { OfficeLimit } from '../engine/office-limit.ts';
import { RosterError } from '../errors/roster-error.ts';

/** Null is unlimited. Limited access manages those whose offices are all within the limit. */

export function containsOffices(
  limit: OfficeLimit | undefined,
  officeIds: readonly string[] | null,
): boolean {
  return limit === undefined || (officeIds?.every((id) => limit.offices.has(id)) ?? false);
}

export function isContained(offices: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`office_ids <@ ${offices}::uuid[]`;
}

/**
 * The offices to give to a new or changed resource: as requested, else those granted to the caller. Throws
 * `insufficient_scope` if a limited caller would give all, and `reference_not_found` for an office that is
 * missing or out of the limit.
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

/** Checks the offices in several fields. Throws as `givenOffices`. */
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

async function existing(
  db: Kysely<Database>,
  limit: OfficeLimit | undefined,
  ids: readonly string[],
): Promise<(id: string) => boolean> {
  const within = limit === undefined ? ids : ids.filter((id) => limit.offices.has(id));
  if (within.length === 0) return () => false;
  const rows = await db
    .selectFrom('office')
    .where((office) => office('id', '=', office.fn.any(office.val(within))))
    .select('id')
    .execute();
  const found = new Set(rows.map(({ id }) => id));
  return (id) => found.has(id);
}
