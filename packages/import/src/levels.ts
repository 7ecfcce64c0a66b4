/**
 * The depth of each branch in the hierarchy of a file, by row, from the row of its main office; branches in a circle have none.
 * Main offices are sent before their branches.
 */
export function levelsOf(mains: ReadonlyMap<number, number>): {
  levels: Map<number, number>;
  cyclic: Set<number>;
} {
  const levels = new Map<number, number>();
  const cyclic = new Set<number>();
  for (const start of mains.keys()) {
    const path: number[] = [];
    const onPath = new Set<number>();
    let at: number | undefined = start;
    while (at !== undefined && !levels.has(at) && !cyclic.has(at) && !onPath.has(at)) {
      path.push(at);
      onPath.add(at);
      at = mains.get(at);
    }
    if (at !== undefined && onPath.has(at)) {
      for (const row of path.slice(path.indexOf(at))) cyclic.add(row);
    }
    let level = at === undefined ? -1 : (levels.get(at) ?? -1);
    for (const row of path.toReversed()) {
      if (cyclic.has(row)) continue;
      level += 1;
      levels.set(row, level);
    }
  }
  return { levels, cyclic };
}
