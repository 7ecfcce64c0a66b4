// Its effects run at every render: what the compiler adds would skip none of them.
'use no memo';

import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { Place } from './grid-keys.ts';

interface GridFocus {
  /** The height of a row, and of the header, in pixels. */
  height: number;
  headerHeight: number;
  /** The row that someone has jumped to; another object for another jump. */
  target: { row: number } | undefined;
  openId: string | undefined;
  setActive: (place: Place) => void;
  measure: () => void;
}

const activeCell = (element: HTMLElement | null) =>
  element?.querySelector<HTMLElement>('[data-cell][tabindex="0"]');

/** Keeps the focus in the active cell of a grid, also while the element of the cell is replaced, as when its record has been read. */
export function useGridFocus(
  scroller: RefObject<HTMLDivElement | null>,
  { height, headerHeight, target, openId, setActive, measure }: GridFocus,
) {
  const hasFocus = useRef(false);
  useLayoutEffect(() => {
    if (!hasFocus.current) return;
    const element = scroller.current;
    const cell = activeCell(element);
    const { activeElement } = document;
    const isOutside = activeElement !== document.body && !element?.contains(activeElement);
    if (isOutside || !cell || cell === activeElement) return;
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
  const moveTo = (place: Place) => {
    setActive(place);
    hasFocus.current = true;
    const element = scroller.current;
    if (element === null || place.row < 0) return;
    // Rows far away are not there to be scrolled to.
    const top = place.row * height;
    const bottom = element.scrollTop + element.clientHeight - headerHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + height > bottom) element.scrollTop = top + height - (element.clientHeight - headerHeight);
    measure();
  };
  // The record that was open has gone, and the focus with it.
  const wasOpen = useRef(openId);
  useEffect(() => {
    const isClosed = wasOpen.current !== undefined && openId === undefined;
    wasOpen.current = openId;
    if (!isClosed) return;
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) activeCell(scroller.current)?.focus();
    });
  }, [openId]);
  const went = useRef(target);
  useLayoutEffect(() => {
    if (target === went.current || target === undefined) return;
    went.current = target;
    if (scroller.current !== null) scroller.current.scrollTop = target.row * height;
    moveTo({ row: target.row, column: 1 });
    // The dialog that asked for the place gives the focus back to its button when it closes.
    const focus = () => {
      if (document.querySelector('[data-modal]') !== null) requestAnimationFrame(focus);
      else activeCell(scroller.current)?.focus();
    };
    requestAnimationFrame(focus);
  });
  return { hasFocus, moveTo };
}
