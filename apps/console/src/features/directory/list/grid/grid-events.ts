import type { FocusEvent, KeyboardEvent, MouseEvent } from 'react';
import type { DirectoryRecord } from '../../../../resources/record.ts';
import { preferences } from '../../../../ui/browser/preferences.ts';
import type { SelectionState } from '../selection.ts';
import { indexOf, type ListRow } from '../use-list.ts';

/** A cell of the grid: row -1 is that of the headers, column 0 that of the boxes. */
export interface Place {
  row: number;
  column: number;
}

export interface GridActions {
  onSelectAll: () => void;
  onClearSelection: () => void;
  onToggle: (id: string) => void;
  onExtend: (ids: readonly string[]) => void;
  onOpen: (id: string) => void;
  onFollow: (href: string) => void;
  onCopy: (text: string) => void;
  onEdit: (record: DirectoryRecord, column: string) => boolean;
}

export interface GridState {
  rows: readonly ListRow[];
  columns: readonly string[];
  selection: SelectionState;
  active: Place;
  columnCount: number;
  pageRows: number;
  actions: GridActions;
  moveTo: (place: Place) => void;
}

export function placeOf(event: MouseEvent | KeyboardEvent | FocusEvent): Place | undefined {
  const { target } = event;
  const cell =
    target instanceof Element && target.closest<HTMLElement>('[role=gridcell],[role=columnheader]');
  if (!cell) return undefined;
  const index = cell.closest<HTMLElement>('[role=row]')?.dataset.index;
  return { row: index === undefined ? -1 : Number(index), column: Number(cell.ariaColIndex) - 1 };
}

const hasControl = (event: KeyboardEvent | MouseEvent) => event.ctrlKey || event.metaKey;

/** The letters that do something in the grid, unless single keys are turned off. */
const letters: Readonly<Record<string, string>> = { j: 'ArrowDown', k: 'ArrowUp', x: ' ', e: 'F2' };

function keyOf(event: KeyboardEvent): string {
  const isLetter = !hasControl(event) && !event.shiftKey && preferences().hasShortcuts;
  return (isLetter ? letters[event.key] : undefined) ?? event.key;
}

/** The cell that a key moves to (ARIA grid pattern); undefined if the key moves nowhere. */
function placeFor(
  key: string,
  isControl: boolean,
  { row, column }: Place,
  { rowCount, columnCount, pageRows }: { rowCount: number; columnCount: number; pageRows: number },
): Place | undefined {
  const toRow = (to: number) => ({ row: Math.max(-1, Math.min(to, rowCount - 1)), column });
  const toColumn = (to: number) => ({ row, column: Math.max(0, Math.min(to, columnCount - 1)) });
  switch (key) {
    case 'ArrowDown':
      return toRow(row + 1);
    case 'ArrowUp':
      return toRow(row - 1);
    case 'PageDown':
      return toRow(row + pageRows);
    case 'PageUp':
      // Not from the first rows to the headers.
      return toRow(row < 0 ? row : Math.max(0, row - pageRows));
    case 'ArrowRight':
      return toColumn(column + 1);
    case 'ArrowLeft':
      return toColumn(column - 1);
    case 'Home':
      return isControl ? toRow(0) : toColumn(0);
    case 'End':
      return isControl ? toRow(rowCount - 1) : toColumn(columnCount - 1);
    default:
      return undefined;
  }
}

const mirrored: Readonly<Record<string, string>> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' };

function selectTo(row: number, { rows, selection, active, actions }: GridState): void {
  const anchor = selection.anchor === undefined ? -1 : indexOf({ rows }, selection.anchor);
  const from = anchor >= 0 ? anchor : Math.max(0, active.row);
  const step = from <= row ? 1 : -1;
  const places = Array.from({ length: Math.abs(row - from) + 1 }, (_, at) => from + at * step);
  actions.onExtend(places.flatMap((at) => rows[at]?.record.id ?? []));
}

/** Moves, selects, edits or opens by a key; leaves any other key to the browser. */
export function pressKey(event: KeyboardEvent<HTMLDivElement>, state: GridState): void {
  const { rows, columns, selection, actions, columnCount, pageRows } = state;
  const here = placeOf(event);
  if (here === undefined || event.altKey) return;
  const isControl = hasControl(event);
  const key = keyOf(event);
  const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl';
  const moved = isRightToLeft ? (mirrored[key] ?? key) : key;
  const to = placeFor(moved, isControl, here, { rowCount: rows.length, columnCount, pageRows });
  const record = rows[here.row]?.record;
  const column = columns[here.column - 1];
  if (to !== undefined) {
    state.moveTo(to);
    if (event.shiftKey && to.row >= 0 && to.row !== here.row) selectTo(to.row, state);
  } else if (key === 'a' && isControl) actions.onSelectAll();
  else if (key === 'Escape' && (selection.isAll || selection.ids.size > 0)) actions.onClearSelection();
  else if (record === undefined) return;
  else if (key === 'F2') {
    if (column === undefined || !actions.onEdit(record, column)) return;
  } else if (key === 'Enter') actions.onOpen(record.id);
  else if (key === ' ' && event.shiftKey) selectTo(here.row, state);
  // The box itself is pressed by the browser.
  else if (key === ' ' && !(event.key === ' ' && event.target instanceof HTMLInputElement))
    actions.onToggle(record.id);
  else return;
  event.preventDefault();
}

export function clickRow(event: MouseEvent<HTMLDivElement>, state: GridState): void {
  const { rows, actions } = state;
  const { target } = event;
  if (!(target instanceof Element)) return;
  const place = placeOf(event);
  const record = place === undefined ? undefined : rows[place.row]?.record;
  if (place === undefined || record === undefined) return;
  const isControl = hasControl(event);
  const link = target.closest('a');
  const copied = target.closest<HTMLElement>('[data-copied]')?.dataset.copied;
  // The browser opens a link in another tab.
  if (link !== null && (isControl || event.shiftKey)) return;
  if (link !== null) event.preventDefault();
  state.moveTo(place);
  if (copied !== undefined) actions.onCopy(copied);
  else if (link?.dataset.follow !== undefined) actions.onFollow(link.dataset.follow);
  else if (event.shiftKey) selectTo(place.row, state);
  else if (target instanceof HTMLInputElement || isControl) actions.onToggle(record.id);
  else if (getSelection()?.isCollapsed !== false) actions.onOpen(record.id);
}
