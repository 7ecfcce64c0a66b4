import { folded } from '../resources/folding.ts';
import { addIssue, type ImportCandidate } from './candidates.ts';
import type { ImportDefinition } from './resources.ts';

/**
 * A name as it is compared: first and last name are one text, so that it does not count where one ends. Case, accents, white space
 * and compatibility forms do not tell names apart, as in a search.
 */
function comparedName(names: readonly string[]): string {
  return folded(names.join(' ')).replaceAll(/\s+/g, ' ').trim();
}

/**
 * Finds records that an e-mail address alone led to one with another name, and rejects them unless that is accepted: a wrong address
 * would turn one person into another. A source and an id are keys, so that a record that was found by them may be renamed.
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
    const { match, matchedId, isById, fields } = candidate;
    if (match === undefined || matchedId === undefined || isById) continue;
    const names = nameFields.map((field) => String(fields[field]));
    if (comparedName(names) === comparedName(match.names)) continue;
    candidate.isRenamed = true;
    if (areAccepted) continue;
    const [before, after] = [match.names.join(' '), names.join(' ')];
    const detail = `is that of the ${table} "${before}" (${match.id}), and the name here is "${after}"; correct one of them, or accept renames`;
    addIssue(candidate, 'email', { code: 'name_differs', detail });
  }
}
