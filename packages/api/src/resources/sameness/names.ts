import { folded } from '../folding.ts';

/**
 * A name by which records are told from others: in its compatibility form, without letter case. Accents count. The index on names of offices has it
 * in these words.
 */
export function nameKey(name: string): string {
  return name.normalize('NFKC').toUpperCase();
}

/**
 * A name of several fields by which it is known that a record has another name: first and last name are one text, so that it does not
 * count where one ends. Accents and white space do not count either, as in a search.
 */
export function spokenName(names: readonly string[]): string {
  return folded(names.join(' ')).replaceAll(/\s+/g, ' ').trim();
}
