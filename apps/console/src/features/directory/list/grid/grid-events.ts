import type { FocusEvent, KeyboardEvent, MouseEvent } from 'react';
import type { DirectoryRecord } from '../../../../resources/record.ts';
import { indexOf, type PageWindow, recordAt } from '../page-window.ts';
import type { SelectionState } from '../selection.ts';
import { type Extent, type Place, placeFor } from './grid-keys.ts';
import { rowOf } from './row.tsx';

export interface GridActions {
  onSelectAll: () => void;
  onClearSelection: () => void;
  onToggle: (id: string) => void;
  onExtend: (ids: readonly string[]) => void;
  onOpen: (id: string) => void;
  onEdit: (record: DirectoryRecord, column: string) => boolean;
}

interface GridState {
  window: PageWindow;
  columns: readonly string[];
  selection: SelectionState;
  active: Place;
  extent: Extent;
  actions: GridActions;
  setActive: (place: Place) => void;
  moveTo: (place: Place) => void;
}

export function placeOf(event: MouseEvent | KeyboardEvent | FocusEvent): Place | undefined {
  const cell = (event.target as HTMLElement).closest<HTMLElement>('[role=gridcell],[role=columnheader]');
  const index = cell?.closest<HTMLElement>('[role=row]')?.dataset.index;
  if (!cell) return undefined;
  return { row: index === undefined ? -1 : Number(index), column: Number(cell.ariaColIndex) - 1 };
}

const hasControl = (event: KeyboardEvent | MouseEvent) => event.ctrlKey || event.metaKey;

function selectTo(row: number, { window, selection, active, actions }: GridState): void {
  const anchor = selection.anchor === undefined ? undefined : indexOf(window, selection.anchor);
  const from = anchor ?? Math.max(0, active.row);
  const step = from <= row ? 1 : -1;
  const rows = Array.from({ length: Math.abs(row - from) + 1 }, (_, at) => from + at * step);
  actions.onExtend(rows.flatMap((at) => recordAt(window, at)?.record.id ?? []));
}

const isEditKey = ({ key, shiftKey }: KeyboardEvent) => key === 'F2' || (key === 'Enter' && !shiftKey);

function editCell(record: DirectoryRecord, { column }: Place, { columns, actions }: GridState): boolean {
  // The first column has the boxes that select.
  const name = columns[column - 1];
  return name !== undefined && actions.onEdit(record, name);
}

/** Moves, selects, edits or opens by a key; leaves any other key to the browser. */
export function pressKey(event: KeyboardEvent<HTMLDivElement>, state: GridState): void {
  const { selection, extent, actions } = state;
  const here = placeOf(event);
  if (here === undefined || event.altKey) return;
  const isControl = hasControl(event);
  const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl';
  const to = placeFor({ key: event.key, isControl }, here, extent, isRightToLeft);
  const record = recordAt(state.window, here.row)?.record;
  if (to !== undefined) {
    state.moveTo(to);
    if (event.shiftKey && to.row >= 0 && to.row !== here.row) selectTo(to.row, state);
  } else if (event.key === 'a' && isControl) actions.onSelectAll();
  else if (event.key === 'Escape' && (selection.isAll || selection.ids.size > 0)) actions.onClearSelection();
  else if (record === undefined || (event.target instanceof HTMLAnchorElement && event.key === 'Enter'))
    return;
  else if (isEditKey(event) && editCell(record, here, state)) state.setActive(here);
  else if (event.key === 'Enter') actions.onOpen(record.id);
  else if (event.key === ' ' && event.shiftKey) selectTo(here.row, state);
  // The box itself is pressed by the browser.
  else if (event.key === ' ' && !(event.target instanceof HTMLInputElement)) actions.onToggle(record.id);
  else return;
  event.preventDefault();
}

export function clickRow(event: MouseEvent<HTMLDivElement>, state: GridState): void {
  const row = rowOf(event);
  const record = row === undefined ? undefined : recordAt(state.window, row)?.record;
  if (row === undefined || record === undefined) return;
  const isBox = event.target instanceof HTMLInputElement;
  const isControl = hasControl(event);
  const isLink = (event.target as HTMLElement).closest('a') !== null;
  // The browser opens a link in another tab.
  if (isLink && (isControl || event.shiftKey)) return;
  if (isLink) event.preventDefault();
  state.setActive(placeOf(event) ?? state.active);
  if (event.shiftKey) selectTo(row, state);
  else if (isBox || isControl) state.actions.onToggle(record.id);
  else if (getSelection()?.isCollapsed !== false) state.actions.onOpen(record.id);
}
