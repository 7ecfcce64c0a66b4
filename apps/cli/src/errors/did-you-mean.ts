import { closest, distance } from 'fastest-levenshtein';

/** The name a person may have meant: the nearest one, if it differs in no more than half its letters. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const word = typed.toLowerCase();
  const found = names.find((name) => name.toLowerCase() === word) ?? closest(typed, names);
  if (found === undefined) return undefined;
  const letters = Math.max(found.length, word.length);
  return distance(word, found.toLowerCase()) <= letters / 2 ? found : undefined;
}

/** The values of the three keys that are nearest to a name; each value once. */
export function nearestThree(typed: string, byName: ReadonlyMap<string, string>): string[] {
  const ranked = [...byName].toSorted(([one], [other]) => distance(typed, one) - distance(typed, other));
  return [...new Set(ranked.map(([, value]) => value))].slice(0, 3);
}

/** A question after a typo; empty where nothing is near. */
export function didYouMean(typed: string, names: readonly string[]): string {
  const found = nearest(typed, names);
  return found === undefined ? '' : `Did you mean ${found}? `;
}
