import anyAscii from 'any-ascii';
import { distance } from 'fastest-levenshtein';
import { folded } from '../engine/sameness/folding.ts';

/** Compares transliterated words (Сергей is SERGEY) by their consonants, which most spellings share. */

export function latinWords(text: string): string[] {
  const capitals = folded(text);
  const latin = /^[\0-\x7f]*$/.test(capitals) ? capitals : folded(anyAscii(capitals));
  return latin.split(/[^A-Z0-9]+/).filter((word) => word !== '');
}

/** Spellings of one sound, longer ones first. */
const sounds: readonly (readonly [RegExp, string])[] = [
  [/X/g, 'KS'],
  [/TSCH|SHCH|SCH|TCH|CH|SH/g, '6'],
  [/PH/g, 'F'],
  [/TH/g, 'T'],
  [/KH|CK|QU|Q|C/g, 'K'],
  [/[YIJ]/g, 'I'],
  [/[VW]/g, 'F'],
  [/Z/g, 'S'],
];

/** The consonants as they sound, and the first letter: SERGEY and SERGUEI match. */
export function skeletonOf(word: string): string {
  const spoken = sounds.reduce((text, [spelling, sound]) => text.replace(spelling, sound), word);
  const [first = '', ...rest] = spoken;
  const consonants = rest.join('').replaceAll(/[AEIOUH]/g, '');
  return (first + consonants).replaceAll(/(.)\1+/g, '$1');
}

export const DIFFERENT = 0;
export const SIMILAR = 1;
export const SAME = 2;
export type Likeness = typeof DIFFERENT | typeof SIMILAR | typeof SAME;

/** Paulo and Paula, or Daniel and Daniela, are different people. */
function isOtherGender(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length === long.length) return short.slice(0, -1) === long.slice(0, -1) && /[AEO]$/.test(short);
  return long === `${short}A` || long === `${short}E`;
}

const typosIn = (length: number) => (length < 4 ? 0 : length < 8 ? 1 : 2);

export function compareWords(one: string, other: string): Likeness {
  if (one === other) return SAME;
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length === 1) return long.startsWith(short) ? SIMILAR : DIFFERENT;
  if (isOtherGender(one, other)) return DIFFERENT;
  if (short.length >= 3 && long.startsWith(short)) return SIMILAR;
  if (distance(one, other) <= typosIn(short.length)) return SIMILAR;
  return short.length >= 5 && skeletonOf(one).length >= 2 && skeletonOf(one) === skeletonOf(other)
    ? SIMILAR
    : DIFFERENT;
}

export function compareAny(some: readonly string[], others: readonly string[]): Likeness {
  let best: Likeness = DIFFERENT;
  for (const one of some)
    for (const other of others) {
      const likeness = compareWords(one, other);
      if (likeness > best) best = likeness;
      if (best === SAME) return best;
    }
  return best;
}
