import type { Database } from '@roster/db';
import type { Transaction } from 'kysely';
import type { ImportDefinition } from './definitions.ts';
import { type FoundOffice, findAffiliations } from './find-records.ts';
import { addIssue, type ImportCandidate, type OfficeName } from './row-as-read.ts';

/** The offices that the affiliations of a record name. */
export function affiliatedOffices(
  { fields }: ImportCandidate,
  { affiliationsField }: ImportDefinition,
): OfficeName[] {
  if (affiliationsField === undefined) return [];
  const affiliations = (fields[affiliationsField] ?? []) as { officeId: string }[];
  return affiliations.map(({ officeId }) => ({ field: affiliationsField, id: officeId }));
}

/** The primary office that an agent has after the import; undefined if there is none. */
function primaryOfficeOf(
  { fields, foundOffice, match }: ImportCandidate,
  { officeField }: ImportDefinition,
): string | null | undefined {
  return officeField !== undefined && officeField in fields ? foundOffice?.id : match?.officeId;
}

/**
 * Rejects new affiliations with missing offices, offices outside the limit, inactive offices or the primary office.
 * An affiliation that the agent already has may be with an inactive office, and is removed if that office becomes the primary one.
 */
export async function checkAffiliations(
  trx: Transaction<Database>,
  candidates: ImportCandidate[],
  {
    definition,
    officesOf,
  }: { definition: ImportDefinition; officesOf: (name: OfficeName) => readonly FoundOffice[] },
): Promise<void> {
  const { affiliationsField } = definition;
  const affiliated = candidates.filter((candidate) => affiliatedOffices(candidate, definition).length > 0);
  if (affiliationsField === undefined || affiliated.length === 0) return;
  const matched = affiliated.flatMap(({ match }) => (match === undefined ? [] : [match.id]));
  const existing = await findAffiliations(trx, matched);
  const held = new Set(existing.map(({ agentId, officeId }) => `${agentId} ${officeId}`));
  for (const candidate of affiliated) {
    const primary = primaryOfficeOf(candidate, definition);
    for (const office of affiliatedOffices(candidate, definition)) {
      const [found] = officesOf(office);
      const isNew = !held.has(`${candidate.match?.id} ${office.id}`);
      if (isNew && found === undefined) {
        const detail = 'is not an existing office';
        addIssue(candidate, affiliationsField, {
          errorCode: 'reference_not_found',
          code: 'not_found',
          detail,
        });
      } else if (isNew && office.id === primary) {
        const detail = "is the office in officeId, so it can't be an affiliation";
        addIssue(candidate, affiliationsField, { code: 'primary', detail });
      } else if (isNew && found?.status === 'inactive') {
        const detail = 'is an inactive office';
        addIssue(candidate, affiliationsField, { errorCode: 'office_inactive', code: 'inactive', detail });
      }
    }
  }
}
