import { countries } from '@roster/api/server';

/** One value of a lookup: as the Data Dictionary writes it, and as records of the API have it. */
interface LookupValue {
  standard: string;
  own: string;
}

/** A closed list of values, which fields show as strings (string enumerations). */
export interface Lookup {
  name: string;
  values: readonly LookupValue[];
  /** Whether records have other texts for its values, so that conditions have to be converted. */
  isConverted: boolean;
}

function lookup(name: string, values: Record<string, string>): Lookup {
  const entries = Object.entries(values).map(([standard, own]) => ({ standard, own }));
  return { name, values: entries, isConverted: entries.some(({ standard, own }) => standard !== own) };
}

const statuses = { Active: 'active', Inactive: 'inactive' };

/**
 * The lookups of the fields whose values Roster knows. Each order of the standard values is that of the records' own, so that
 * both sort alike. Types, languages and designations are free texts in Roster, and so have no lookup.
 */
export const lookups = {
  MemberStatus: lookup('MemberStatus', statuses),
  OfficeStatus: lookup('OfficeStatus', statuses),
  OfficeBranchType: lookup('OfficeBranchType', {
    Branch: 'branch',
    Main: 'main',
    'Stand Alone': 'stand_alone',
  }),
  Country: lookup('Country', Object.fromEntries(Array.from(countries, (code) => [code, code]))),
};

/** The value of a record in the words of the standard. */
export function standardOf({ values }: Lookup, own: unknown): unknown {
  return values.find((value) => value.own === own)?.standard ?? own;
}

/** The value of records for a word of the standard; undefined if the lookup does not have it. */
export function ownOf({ values }: Lookup, standard: unknown): string | undefined {
  return values.find((value) => value.standard === standard)?.own;
}
