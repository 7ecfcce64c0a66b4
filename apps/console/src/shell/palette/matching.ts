/** Text as it is compared, as in a search: without case, accents and apostrophes. */
function folded(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase();
}

const wordsOf = (text: string) => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/**
 * The rank of a label by the words of a text: 2 if it begins with the first, 1 if each begins one of its words, 0.5 if each is
 * somewhere in it, 0 otherwise. The empty text matches everything.
 */
export function matchOf(label: string, text: string): number {
  const words = wordsOf(folded(text));
  const [first] = words;
  if (first === undefined) return 1;
  const target = folded(label);
  if (!words.every((word) => target.includes(word))) return 0;
  const parts = wordsOf(target);
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
