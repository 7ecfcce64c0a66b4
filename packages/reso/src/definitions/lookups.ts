import { countries } from '@roster/api';
import { choiceOf } from '@roster/fields/text';

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
  /** Whether its words sort as the texts of records do, so that what is ordered by these is ordered by its words. */
  isSortedAlike: boolean;
}

/** A lookup of fields that are free texts in Roster: its values are those that records have. */
export interface OpenLookup {
  name: string;
  /** The values that the Data Dictionary has, which say of themselves that they are standard. */
  standard: ReadonlySet<string>;
}

/** A closed lookup. */
export function lookup(name: string, values: Record<string, string>): Lookup {
  const entries = Object.entries(values).map(([standard, own]) => ({ standard, own }));
  const sorted = entries.toSorted((one, other) => (one.standard < other.standard ? -1 : 1));
  return {
    name,
    values: entries,
    isConverted: entries.some(({ standard, own }) => standard !== own),
    isSortedAlike: sorted.every(({ own }, index) => index === 0 || (sorted[index - 1]?.own ?? '') < own),
  };
}

export function openLookup(name: string, standard: readonly string[] = []): OpenLookup {
  return { name, standard: new Set(standard) };
}

export const statuses = { Active: 'active', Inactive: 'inactive' };

/** The regions of countries that the Data Dictionary has, of the United States and of Canada. */
const regions =
  'AB AK AL AR AZ BC CA CO CT DC DE FL GA HI IA ID IL IN KS KY LA MA MB MD ME MI MN MO MS MT NB NC ND NE NF NH NJ NM NS NT ' +
  'NU NV NY OH OK ON OR PA PE QC RI SC SD SK TN TX UT VA VI VT WA WI WV WY YT';

/** The lookups that several resources have. Languages are BCP 47 tags, and counties what people call them. */
export const shared = {
  Country: lookup('Country', Object.fromEntries(Array.from(countries, (code) => [code, code]))),
  StateOrProvince: openLookup('StateOrProvince', regions.split(' ')),
  CountyOrParish: openLookup('CountyOrParish'),
  Languages: openLookup('Languages'),
};

/** The value of a record in the words of the standard. */
export function findStandard({ values }: Lookup, own: unknown): unknown {
  return values.find((value) => value.own === own)?.standard ?? own;
}

/** The value of records for a word of the standard, in whatever letter case; undefined if the lookup does not have it. */
export function findOwn({ values }: Lookup, given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined;
  const word = choiceOf(
    given,
    values.map(({ standard }) => standard),
  );
  return values.find(({ standard }) => standard === word)?.own;
}
