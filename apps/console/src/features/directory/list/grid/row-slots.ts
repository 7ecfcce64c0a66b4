import { useState } from 'react';

/** Which row each element for rows shows: the row of slot 0, of slot 1 and so on; undefined if the slot shows none. */
type RowSlots = readonly (number | undefined)[];

/**
 * The slots for other rows. A row that is still shown keeps its slot, so that its element and the focus in it stay; the other rows
 * take the slots of those that have gone, so that their elements show other records instead of being replaced: a new element
 * costs several times as much as another text in it.
 *
 * @param rows each once
 * @returns `before` itself if it has just those rows
 */
export function assignRows(before: RowSlots, rows: readonly number[]): RowSlots {
  const wanted = new Set(rows);
  const after = before.map((row) => (row !== undefined && wanted.delete(row) ? row : undefined));
  if (wanted.size === 0 && after.every((row, slot) => row === before[slot])) return before;
  let slot = 0;
  for (const row of wanted) {
    while (after[slot] !== undefined) slot += 1;
    after[slot] = row;
  }
  return after;
}

export function useRowSlots(rows: readonly number[]): RowSlots {
  const [slots, setSlots] = useState<RowSlots>([]);
  const next = assignRows(slots, rows);
  // React renders at once with what is set while rendering, before anything is shown.
  if (next !== slots) setSlots(next);
  return next;
}
