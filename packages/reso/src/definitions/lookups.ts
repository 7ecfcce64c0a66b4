import { countries } from '@roster/api';
import { choiceOf } from '@roster/fields/text';

interface LookupValue {
  standard: string;
  own: string;
}

export interface Lookup {
  name: string;
  values: readonly LookupValue[];
  /** Whether records have other texts, so that conditions must be converted. */
  isConverted: boolean;
  /** Whether both texts have the same order. */
  isSortedAlike: boolean;
}

export interface OpenLookup {
  name: string;
  /** Values of the Data Dictionary, marked as standard. */
  standard: ReadonlySet<string>;
}

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

/** Of the United States and Canada. */
const regions =
  'AB AK AL AR AZ BC CA CO CT DC DE FL GA HI IA ID IL IN KS KY LA MA MB MD ME MI MN MO MS MT NB NC ND NE NF NH NJ NM NS NT ' +
  'NU NV NY OH OK ON OR PA PE QC RI SC SD SK TN TX UT VA VI VT WA WI WV WY YT';

/** Languages are BCP 47 tags; counties are free texts. */
export const shared = {
  Country: lookup('Country', Object.fromEntries(Array.from(countries, (code) => [code, code]))),
  StateOrProvince: openLookup('StateOrProvince', regions.split(' ')),
  CountyOrParish: openLookup('CountyOrParish'),
  Languages: openLookup('Languages'),
};

export function findStandard({ values }: Lookup, own: unknown): unknown {
  return values.find((value) => value.own === own)?.standard ?? own;
}

/** In any letter case; undefined for an unknown word. */
export function findOwn({ values }: Lookup, given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined;
  const word = choiceOf(
    given,
    values.map(({ standard }) => standard),
  );
  return values.find(({ standard }) => standard === word)?.own;
}
