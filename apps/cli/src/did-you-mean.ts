import { closest, distance } from 'fastest-levenshtein';

/** The closest name by edit distance, if no more than half of its letters differ. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const word = typed.toLowerCase();
  const found = names.find((name) => name.toLowerCase() === word) ?? closest(typed, names);
  if (found === undefined) return undefined;
  const letters = Math.max(found.length, word.length);
  return distance(word, found.toLowerCase()) <= letters / 2 ? found : undefined;
}

/** `Did you mean …? ` after a typo; empty if no name is close. */
export function didYouMean(typed: string, names: readonly string[]): string {
  const found = nearest(typed, names);
  return found === undefined ? '' : `Did you mean ${found}? `;
}

/**
 * `Did you mean …? ` after an unknown option: the options that contain it as a word (`--city` suggests `--address-city`),
 * else the closest one.
 */
export function didYouMeanOption(flag: string, options: readonly string[]): string {
  const [word = ''] = flag.replace(/^-+/, '').toLowerCase().split('=');
  const containing = options.filter((long) => long.slice(2).split('-').includes(word));
  if (containing.length > 0) return `Did you mean ${containing.slice(0, 3).join(' or ')}? `;
  return didYouMean(`--${word}`, options);
}
