/**
 * The first letters of the first and the last word of a name that begin with a letter; of a script without capitals the first alone.
 * None of a name without letters.
 */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^\p{L}/u.test(word));
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : ''].map(
    (word = '') => Array.from(word)[0] ?? '',
  );
  return /^\p{Lo}/u.test(first) ? first : (first + last).toLocaleUpperCase();
}

const HUES = 12;

/** One of a few hues, always the same for an id. Its lightness is that of the style, so that the letters can be read on all. */
export function hueOf(id: string): number {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + character.charCodeAt(0)) % 65_521;
  return (sum % HUES) * (360 / HUES);
}
