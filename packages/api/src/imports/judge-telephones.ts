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
import type { JudgedRow, MatchedRow } from './row-as-judged.ts';
import { addIssue } from './row-as-read.ts';

interface TelephoneJudging extends CountrySources {
  definition: Pick<ImportDefinition, 'resource' | 'officeField' | 'isTree'>;
}

/** Makes a function that finds the rows of a call that are the offices above one, the nearest first. */
function officesAbove(
  rows: readonly MatchedRow[],
  { officeField, isTree }: TelephoneJudging['definition'],
): (row: MatchedRow) => MatchedRow[] {
  const byId = new Map(isTree ? rows.flatMap((row) => (row.match ? [[row.id, row]] : [])) : []);
  const nextOf = ({ officeRow, fields, match }: MatchedRow) => {
    if (officeRow !== undefined) return rows[officeRow.index];
    const given = officeField === undefined ? undefined : fields[officeField];
    const id = given === undefined ? match?.officeId : given;
    return typeof id === 'string' ? byId.get(id) : undefined;
  };
  return (row) => {
    const above = new Set<MatchedRow>();
    for (let next = nextOf(row); next !== undefined && !above.has(next); next = nextOf(next)) above.add(next);
    return [...above];
  };
}

/** Reads the phone numbers of rows. Existing numbers stay as they are. */
export async function judgeTelephones(
  trx: Transaction<Database>,
  rows: readonly MatchedRow[],
  { definition, ...sources }: TelephoneJudging,
): Promise<JudgedRow[]> {
  const { resource } = definition;
  const unread = rows.filter(({ fields }) => hasUnreadTelephones(resource, fields));
  const aboveOf = officesAbove(rows, definition);
  const above = new Map(unread.map((row) => [row, aboveOf(row)]));
  const matched = [...unread, ...[...above.values()].flat()].flatMap(({ match }) => match?.id ?? []);
  const stored: Map<string, TelephoneRecord> =
    matched.length === 0 ? new Map() : await findTelephones(trx, resource, [...new Set(matched)]);
  const inputOf = ({ fields: input, match }: MatchedRow) => ({ input, record: stored.get(match?.id ?? '') });
  const inputs = unread.map((row): TelephoneInput => {
    const { countryChecked: known, countryAbove } = row.facts;
    return { ...inputOf(row), above: above.get(row)?.map(inputOf), known, countryAbove };
  });
  const found = unread.length === 0 ? [] : await findTelephoneCountries(trx, resource, inputs, sources);
  const countries = new Map(unread.map((row, place) => [row, found[place]]));
  return rows.map((row): JudgedRow => {
    if (!countries.has(row)) return { ...row, phoneCountry: undefined, notes: [] };
    const country = countries.get(row);
    // A record of JSON is written by a program, which knows one number from two.
    const takesFirst = row.facts.row !== undefined;
    const { input, record } = inputOf(row);
    const read = readTelephones(resource, input, { record, country, takesFirst });
    Object.assign(row.fields, read.input);
    for (const { field, ...issue } of read.issues) addIssue(row, field, issue);
    return { ...row, phoneCountry: read.isByCountry ? (country ?? null) : undefined, notes: read.notes };
  });
}
