import type { Database } from '@roster/db';
import type { Transaction } from 'kysely';
import {
  type CountrySources,
  findTelephoneCountries,
  type TelephoneInput,
  type TelephoneRecord,
} from '../engine/write/telephone-countries.ts';
import { findTelephones, hasUnreadTelephones, readTelephones } from '../engine/write/telephones.ts';
import type { ImportDefinition } from './definitions.ts';
import { addIssue, type ImportCandidate } from './row-as-read.ts';

interface TelephoneChecking extends CountrySources {
  definition: Pick<ImportDefinition, 'resource' | 'officeField' | 'isTree'>;
}

/** Makes a function that finds the records of a call that are the offices above one, the nearest first. */
function officesAbove(
  candidates: readonly ImportCandidate[],
  { officeField, isTree }: TelephoneChecking['definition'],
) {
  const byId = new Map(isTree ? candidates.map((candidate) => [candidate.match?.id, candidate]) : []);
  byId.delete(undefined);
  const nextOf = ({ officeCandidate, fields, match }: ImportCandidate) => {
    const given = officeField === undefined ? undefined : fields[officeField];
    const id = given === undefined ? match?.officeId : given;
    return officeCandidate ?? (typeof id === 'string' ? byId.get(id) : undefined);
  };
  return (candidate: ImportCandidate): ImportCandidate[] => {
    const above = new Set<ImportCandidate>();
    for (let next = nextOf(candidate); next !== undefined && !above.has(next); next = nextOf(next))
      above.add(next);
    return [...above];
  };
}

/** Reads the phone numbers of records. Existing numbers stay as they are. */
export async function checkTelephones(
  trx: Transaction<Database>,
  candidates: ImportCandidate[],
  { definition, ...sources }: TelephoneChecking,
): Promise<void> {
  const { resource } = definition;
  const unread = candidates.filter(({ fields }) => hasUnreadTelephones(resource, fields));
  if (unread.length === 0) return;
  const aboveOf = officesAbove(candidates, definition);
  const above = unread.map(aboveOf);
  const matched = [...unread, ...above.flat()].flatMap(({ match }) => match?.id ?? []);
  const stored: Map<string, TelephoneRecord> =
    matched.length === 0 ? new Map() : await findTelephones(trx, resource, [...new Set(matched)]);
  const inputOf = ({ fields: input, match }: ImportCandidate) => ({
    input,
    record: stored.get(match?.id ?? ''),
  });
  const inputs = unread.map((candidate, place): TelephoneInput => {
    const { countryChecked: known, countryAbove } = candidate.facts;
    return { ...inputOf(candidate), above: above[place]?.map(inputOf), known, countryAbove };
  });
  const countries = await findTelephoneCountries(trx, resource, inputs, sources);
  for (const [place, candidate] of unread.entries()) {
    const [{ record } = {}, country] = [inputs[place], countries[place]];
    // A record of JSON is written by a program, which knows one number from two.
    const takesFirst = candidate.facts.row !== undefined;
    const reading = { record, country, takesFirst };
    const { input, issues, notes, isByCountry } = readTelephones(resource, candidate.fields, reading);
    candidate.fields = input;
    candidate.notes.push(...notes);
    if (isByCountry) candidate.phoneCountry = country ?? null;
    for (const { field, ...issue } of issues) addIssue(candidate, field, issue);
  }
}
