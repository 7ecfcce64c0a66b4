import { closest, distance } from 'fastest-levenshtein';

/** The name a person may have meant: the nearest one, if it differs in no more than half its letters. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const word = typed.toLowerCase();
  const found = names.find((name) => name.toLowerCase() === word) ?? closest(typed, names);
  if (found === undefined) return undefined;
  const letters = Math.max(found.length, word.length);
  return distance(word, found.toLowerCase()) <= letters / 2 ? found : undefined;
}

/** A question after a typo; empty where nothing is near. */
export function didYouMean(typed: string, names: readonly string[]): string {
  const found = nearest(typed, names);
  return found === undefined ? '' : `Did you mean ${found}? `;
}
