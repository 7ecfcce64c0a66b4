/** Joins links that share an item. Returns each set of several items that are linked directly or over others. */
export function linkedSets<Item>(links: Iterable<readonly Item[]>): Item[][] {
  const setOf = new Map<Item, Set<Item>>();
  for (const link of links) {
    const sets = new Set(link.map((item) => setOf.get(item) ?? new Set([item])));
    // The largest takes the others, so that no item moves often.
    const [largest = new Set<Item>(), ...others] = [...sets].sort((one, other) => other.size - one.size);
    for (const item of [...link, ...others.flatMap((set) => [...set])]) {
      largest.add(item);
      setOf.set(item, largest);
    }
  }
  return [...new Set(setOf.values())].filter(({ size }) => size > 1).map((set) => [...set]);
}
