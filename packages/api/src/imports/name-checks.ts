import { spokenName } from '../engine/sameness/contacts.ts';
import { addIssue, type ImportCandidate } from './candidates.ts';
import type { ImportDefinition } from './resources.ts';

/**
 * Finds records that an email address alone led to one with another name, and rejects them unless that is accepted: a wrong address
 * would turn one person into another. A source and an id are keys, so that a record that was found by them may be renamed. The name of a
 * record that was merged is no other name: the survivor keeps its own.
 */
export function checkRenames(
  candidates: readonly ImportCandidate[],
  {
    definition: {
      resource: { table },
      nameFields,
    },
    areAccepted,
  }: { definition: Pick<ImportDefinition, 'resource' | 'nameFields'>; areAccepted: boolean },
): void {
  for (const candidate of candidates) {
    const { match, matchedId, isById, fields, mergedName = null } = candidate;
    if (match === undefined || matchedId === undefined || isById) continue;
    const names = nameFields.map((field) => String(fields[field]));
    if (spokenName(names) === spokenName(match.names)) continue;
    if (mergedName !== null && spokenName(names) === spokenName([mergedName])) {
      for (const field of nameFields) delete fields[field];
      continue;
    }
    candidate.isRenamed = true;
    if (areAccepted) continue;
    const [before, after] = [match.names.join(' '), names.join(' ')];
    const detail =
      `is in use by the ${table} "${before}" (${match.id}), but the name in this file is "${after}"; correct one of ` +
      'them, or accept the warning `renames`';
    addIssue(candidate, 'email', { code: 'name_differs', detail });
  }
}
