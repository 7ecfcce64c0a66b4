import { folded } from '../../ui/folded.ts';

/** As in a search of the service, an apostrophe ends no word. */
const compared = (text: string) => folded(text).replaceAll(/['’]/g, '');

const wordsOf = (text: string) =>
  compared(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/**
 * The rank of a label by the words of a text: 2 if it begins with the first, 1 if each begins one of its words, 0.5 if each is
 * somewhere in it, 0 otherwise. The empty text matches everything.
 */
export function matchOf(label: string, text: string): number {
  const words = wordsOf(text);
  const [first] = words;
  if (first === undefined) return 1;
  const target = compared(label);
  if (!words.every((word) => target.includes(word))) return 0;
  const parts = wordsOf(label);
  if (!words.every((word) => parts.some((part) => part.startsWith(word)))) return 0.5;
  return target.startsWith(first) ? 2 : 1;
}

export function matching<Item extends { label: string }>(items: readonly Item[], text: string): Item[] {
  return items
    .map((item) => ({ item, match: matchOf(item.label, text) }))
    .filter(({ match }) => match > 0)
    .toSorted((one, other) => other.match - one.match)
    .map(({ item }) => item);
}
