import { iso31662 } from 'iso-3166';
import { folded } from './countries.ts';

/** Stands for a name that two regions of a country have. */
const AMBIGUOUS = '';

const indexes = new Map<string, Map<string, string>>();

/** The regions of a country by their names. */
function indexOf(country: string): Map<string, string> {
  const known = indexes.get(country);
  if (known !== undefined) return known;
  const index = new Map<string, string>();
  for (const { code, name } of iso31662) {
    const [of, region = ''] = code.split(/-(.*)/);
    if (of === country) index.set(folded(name), index.has(folded(name)) ? AMBIGUOUS : region);
  }
  indexes.set(country, index);
  return index;
}

/**
 * Finds the code of a region of a country by its name, as the country writes it, ignoring case, accents and punctuation: `FL` for Florida
 * in the United States. Undefined if no region has the name, or several have.
 */
export function findRegion(name: string, country: string): string | undefined {
  return indexOf(country).get(folded(name)) || undefined;
}
