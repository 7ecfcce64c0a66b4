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
 * Rejects records that an e-mail address alone led to one with another name: a wrong address would turn one person into another.
 * A source is a key, so that a record that was found by it may be renamed.
 */
export function rejectRenames(
  candidates: readonly ImportCandidate[],
  { resource: { table }, nameFields }: Pick<ImportDefinition, 'resource' | 'nameFields'>,
): void {
  for (const candidate of candidates) {
    const { match, matchedId, fields } = candidate;
    if (match === undefined || matchedId === undefined) continue;
    const names = nameFields.map((field) => String(fields[field]));
    if (comparedName(names) === comparedName(match.names)) continue;
    const [before, after] = [match.names.join(' '), names.join(' ')];
    const detail = `is that of the ${table} "${before}" (${match.id}), and the name here is "${after}"; correct one of them, or accept renames`;
    addIssue(candidate, 'email', { code: 'name_differs', detail });
  }
}
