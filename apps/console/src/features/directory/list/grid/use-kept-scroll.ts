// Its effects run at every render: what the compiler adds would skip none of them.
'use no memo';

import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { ListStore } from '../list-store.ts';

interface KeptScroll {
  store: ListStore;
  /** The number of rows that were put in before the others, in all. */
  moved: number;
  height: number;
  firstRow: RefObject<number>;
  /** Tells by how many rows the others have moved; undefined for another list. */
  onMove: (rows: number | undefined) => void;
  measure: () => void;
}

/** Keeps on the screen what is read there, when rows are put in before it, get another height, or when the list is opened again. */
export function useKeptScroll(
  scroller: RefObject<HTMLDivElement | null>,
  { store, moved, height, firstRow, onMove, measure }: KeptScroll,
): void {
  const [restored] = useState(firstRow.current);
  const movedBefore = useRef(moved);
  useLayoutEffect(() => {
    const rows = moved - movedBefore.current;
    movedBefore.current = moved;
    if (rows === 0 || scroller.current === null) return;
    scroller.current.scrollTop += rows * height;
    onMove(rows);
    measure();
  });
  // The rows of the other height keep their place too; so does the list when one comes back to it.
  const shownHeight = useRef<number>(undefined);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (shownHeight.current === height || element === null) return;
    element.scrollTop = (shownHeight.current === undefined ? restored : firstRow.current) * height;
    shownHeight.current = height;
  });
  const shownStore = useRef(store);
  useLayoutEffect(() => {
    if (shownStore.current === store || scroller.current === null) return;
    shownStore.current = store;
    movedBefore.current = moved;
    scroller.current.scrollTop = 0;
    onMove(undefined);
    measure();
  });
}
