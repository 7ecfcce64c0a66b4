import type { ListRequest } from './queries.ts';

/** As many records can be picked one by one: the API takes as many ids in a filter. More are selected as all that match. */
export const PICKED_MAX = 200;

/** Which records a bulk change is about: picked ones, or all that match a filter, of which there were so many. */
export type RecordSelection =
  | { ids: string[] }
  | { filter: Record<string, string | string[] | true>; expectedCount: number };

export interface SelectionState {
  isAll: boolean;
  ids: ReadonlySet<string>;
  /** Those that were picked before Shift began to extend. */
  base: ReadonlySet<string>;
  /** The record from which Shift extends; undefined if none was picked. */
  anchor: string | undefined;
}

const none: ReadonlySet<string> = new Set();
export const nothingSelected: SelectionState = { isAll: false, ids: none, base: none, anchor: undefined };
export const allSelected: SelectionState = { isAll: true, ids: none, base: none, anchor: undefined };

/** The selection after a change, and the number of records that were left out because of {@link PICKED_MAX}. */
export interface Picked {
  state: SelectionState;
  leftOut: number;
}

export const isSelected = ({ isAll, ids }: SelectionState, id: string): boolean => isAll || ids.has(id);

/** Selects a record, or no longer. If all were selected, nothing is afterwards: a filter cannot leave one out. */
export function toggle(state: SelectionState, id: string): Picked {
  if (state.isAll) return { state: nothingSelected, leftOut: 0 };
  const ids = new Set(state.ids);
  if (!ids.delete(id)) {
    if (ids.size >= PICKED_MAX) return { state, leftOut: 1 };
    ids.add(id);
  }
  return { state: { isAll: false, ids, base: ids, anchor: id }, leftOut: 0 };
}

/**
 * Selects the records from the anchor to one, both included, beside those that were picked before. Called again, it replaces what
 * it had selected, so that the range gets shorter too.
 *
 * @param range their ids, that of the anchor first
 */
export function extend({ isAll, base, anchor, ...state }: SelectionState, range: readonly string[]): Picked {
  if (isAll) return { state: { isAll, base, anchor, ...state }, leftOut: 0 };
  const ids = new Set(base);
  let leftOut = 0;
  for (const id of range) {
    if (ids.has(id)) continue;
    if (ids.size < PICKED_MAX) ids.add(id);
    else leftOut += 1;
  }
  return { state: { isAll, ids, base, anchor: anchor ?? range[0] }, leftOut };
}

export function selectedCount({ isAll, ids }: SelectionState, total: number): number {
  return isAll ? total : ids.size;
}

export function selectionOf(
  { isAll, ids }: SelectionState,
  { filter }: Pick<ListRequest, 'filter'>,
  total: number,
): RecordSelection | undefined {
  if (!isAll) return ids.size === 0 ? undefined : { ids: [...ids] };
  // The way in which offices are meant selects nothing by itself.
  const isEverything = Object.keys(filter).every((name) => name === 'affiliation');
  return { filter: isEverything ? { all: true } : filter, expectedCount: total };
}
