import type { DirectoryRecord, Highlight, RecordPage } from '../../../resources/record.ts';

/** Records that stay in memory on each side of those on the screen; what is farther away is dropped. */
export const KEPT_ROWS = 300;
/** Rows of the grid at most: with more, browsers lose the precision of positions. Of a longer list a row stands for several. */
const ROWS_MAX = 250_000;
/** Pages whose places are remembered after they were dropped. */
const BOOKMARKS_MAX = 2_000;

export interface PagePlace {
  cursor?: string | undefined;
  startAt?: string | undefined;
}

export interface LoadedPage {
  place: PagePlace;
  records: readonly DirectoryRecord[];
  highlights: readonly (readonly Highlight[])[];
  nextCursor: string | undefined;
  prevCursor: string | undefined;
}

export interface Bookmark {
  index: number;
  count: number;
  place: PagePlace;
}

/**
 * The part of a list that is in memory: some pages in a row, and where they are in the list. The API knows no numbers of rows, so
 * after a jump the place is an estimate, which becomes exact when the beginning or the end is reached.
 */
export interface PageWindow {
  offset: number;
  isExact: boolean;
  rowCount: number;
  pages: readonly LoadedPage[];
  bookmarks: readonly Bookmark[];
  /** By how many rows the records have been moved in all, so that the grid scrolls with them. */
  moved: number;
}

export function loadedPage(page: RecordPage, place: PagePlace): LoadedPage {
  const { items, highlights = [], nextCursor, prevCursor } = page;
  return { place, records: items, highlights, nextCursor, prevCursor };
}

export function loadedCount({ pages }: Pick<PageWindow, 'pages'>): number {
  return pages.reduce((sum, { records }) => sum + records.length, 0);
}

export const endOf = (window: PageWindow) => window.offset + loadedCount(window);

/**
 * Puts the records where they must be: the first one of the list at 0, the last one at the end, and room for at least one row on a
 * side that has more.
 */
function settle(window: PageWindow, total: number): PageWindow {
  const { pages } = window;
  const count = loadedCount(window);
  const isStart = pages[0]?.prevCursor === undefined;
  const isEnd = pages.at(-1)?.nextCursor === undefined;
  const before = isStart ? 0 : 1;
  const rows = Math.min(Math.max(total, count + before + (isEnd ? 0 : 1)), ROWS_MAX);
  let { offset, isExact } = window;
  if (isStart) {
    offset = 0;
    isExact = true;
  } else if (isEnd) {
    offset = Math.max(1, rows - count);
    isExact = rows === total;
  } else if (offset < 1 || offset + count >= rows) {
    offset = Math.max(1, Math.min(offset, rows - count - 1));
    isExact = false;
  }
  const rowCount = isEnd ? offset + count : Math.max(rows, offset + count + 1);
  const shift = offset - window.offset;
  const bookmarks =
    shift === 0 ? window.bookmarks : window.bookmarks.map((one) => ({ ...one, index: one.index + shift }));
  return { ...window, offset, isExact, rowCount, bookmarks, moved: window.moved + shift };
}

export function enter(
  page: LoadedPage,
  { index, isExact, total, from }: { index: number; isExact: boolean; total: number; from?: PageWindow },
): PageWindow {
  const entered = {
    offset: index,
    isExact,
    rowCount: total,
    pages: [page],
    bookmarks: [],
    moved: from?.moved ?? 0,
  };
  // The place of this page moves no page that was in memory before.
  return { ...settle(entered, total), bookmarks: from === undefined ? [] : remembered(from) };
}

export function append(window: PageWindow, page: LoadedPage, total: number): PageWindow {
  return settle({ ...window, pages: [...window.pages, page] }, total);
}

/** Adds the page before the first one. Nothing on the screen moves, as `moved` says by how much to scroll. */
export function prepend(window: PageWindow, page: LoadedPage, total: number): PageWindow {
  return settle(
    { ...window, offset: window.offset - page.records.length, pages: [page, ...window.pages] },
    total,
  );
}

function remembered(window: PageWindow): Bookmark[] {
  let index = window.offset;
  const now = window.pages.map(({ place, records }) => {
    const bookmark = { index, count: records.length, place };
    index += records.length;
    return bookmark;
  });
  const others = window.bookmarks.filter(
    (one) => one.index + one.count <= window.offset || one.index >= index,
  );
  return [...others, ...now].toSorted((a, b) => a.index - b.index).slice(0, BOOKMARKS_MAX);
}

export function trim(window: PageWindow, first: number, last: number): PageWindow {
  let index = window.offset;
  const isNear = window.pages.map(({ records }) => {
    const start = index;
    index += records.length;
    return index >= first - KEPT_ROWS && start <= last + KEPT_ROWS;
  });
  const from = isNear.indexOf(true);
  if (from === -1 || !isNear.includes(false)) return window;
  const pages = window.pages.filter((_, at) => isNear[at]);
  const dropped = loadedCount({ pages: window.pages.slice(0, from) });
  return { ...window, bookmarks: remembered(window), pages, offset: window.offset + dropped };
}

export function recordAt(
  { offset, pages }: PageWindow,
  index: number,
): { record: DirectoryRecord; highlights: readonly Highlight[] | undefined } | undefined {
  let at = index - offset;
  if (at < 0) return undefined;
  for (const { records, highlights } of pages) {
    const record = records[at];
    if (record !== undefined) return { record, highlights: highlights[at] };
    at -= records.length;
  }
  return undefined;
}

export function indexOf({ offset, pages }: PageWindow, id: string): number | undefined {
  let index = offset;
  for (const { records } of pages) {
    const at = records.findIndex((record) => record.id === id);
    if (at >= 0) return index + at;
    index += records.length;
  }
  return undefined;
}

/** The parameters of the page of a row, and its first row; of a row that is not in memory those of the first page in memory. */
export function placeAt({ offset, pages }: PageWindow, row: number): { place: PagePlace; index: number } {
  let index = offset;
  for (const { place, records } of pages) {
    if (row >= index && row < index + records.length) return { place, index };
    index += records.length;
  }
  return { place: pages[0]?.place ?? {}, index: offset };
}

export function withRecords(window: PageWindow, newer: ReadonlyMap<string, DirectoryRecord>): PageWindow {
  const pages = window.pages.map((page) =>
    page.records.some(({ id }) => newer.has(id))
      ? { ...page, records: page.records.map((record) => newer.get(record.id) ?? record) }
      : page,
  );
  return { ...window, pages };
}

/** The page to read for some rows: the one after or before, one that is remembered, or one that has to be found. */
export type Missing =
  | { kind: 'next'; place: PagePlace }
  | { kind: 'previous'; place: PagePlace }
  | { kind: 'remembered'; bookmark: Bookmark }
  | { kind: 'far' };

export function missing(window: PageWindow, first: number, last: number): Missing | undefined {
  const { offset, pages, bookmarks } = window;
  const end = endOf(window);
  const next = pages.at(-1)?.nextCursor;
  const previous = pages[0]?.prevCursor;
  const startAt = pages[0]?.place.startAt;
  if (last < offset - KEPT_ROWS || first > end + KEPT_ROWS) {
    const bookmark = bookmarks.find((one) => one.index <= first && first < one.index + one.count);
    return bookmark === undefined ? { kind: 'far' } : { kind: 'remembered', bookmark };
  }
  if (last >= end && next !== undefined) return { kind: 'next', place: { cursor: next, startAt } };
  if (first < offset && previous !== undefined)
    return { kind: 'previous', place: { cursor: previous, startAt } };
  return undefined;
}
