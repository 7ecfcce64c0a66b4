import { spokenName } from '../engine/sameness/contacts.ts';
import type { ImportDefinition } from './definitions.ts';
import { addIssue, type ImportCandidate } from './row-as-read.ts';

type Names = (string | null)[];

/** The names that a record will have: its own, and those of the existing record for fields that it leaves out. */
function namesOf({ fields, match }: ImportCandidate, nameFields: readonly string[]): Names {
  return nameFields.map((field, place) => {
    const name = fields[field];
    return name === undefined ? (match?.names[place] ?? null) : (name as string | null);
  });
}

const textOf = (names: Names) => names.filter((name) => name !== null).join(' ');

/** Rejects records that would have no name at all. What breaks its schema is rejected already. */
export function checkNames(
  candidates: readonly ImportCandidate[],
  { nameFields }: Pick<ImportDefinition, 'nameFields'>,
): void {
  const [first = '', ...others] = nameFields;
  for (const candidate of candidates) {
    if (candidate.isBroken || namesOf(candidate, nameFields).some((name) => name !== null)) continue;
    addIssue(candidate, first, {
      code: 'required',
      detail: `is required unless ${others.join(' or ')} is set`,
    });
  }
}

/**
 * Finds records that an email address or a likeness led to one with another name, and rejects them unless that is accepted: a wrong
 * address would turn one person into another. A source and an id are keys, so that a record that was found by them may be renamed, unless
 * the new name was split from a whole one. The name of a record that was merged is no other name: the survivor keeps its own.
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
    const { match, matchedId, isById, fields, facts, mergedName = null } = candidate;
    const isByKey = matchedId === undefined || isById === true;
    if (match === undefined || (isByKey && facts.isNameSplit !== true)) continue;
    const [before, after] = [textOf(match.names), textOf(namesOf(candidate, nameFields))];
    if (spokenName([after]) === spokenName([before])) continue;
    if (mergedName !== null && spokenName([after]) === spokenName([mergedName])) {
      for (const field of nameFields) delete fields[field];
      continue;
    }
    candidate.isRenamed = true;
    if (areAccepted) continue;
    const [place = '', verb] = isByKey ? [nameFields[0], 'belongs to'] : ['email', 'is in use by'];
    const detail =
      `${verb} the ${table} "${before}" (${match.id}), but the name in this file is "${after}"; correct one of ` +
      'them, or accept the warning `renames`';
    addIssue(candidate, place, { code: 'name_differs', detail });
  }
}
