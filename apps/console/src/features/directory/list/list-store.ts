import type { DirectoryRecord, RecordPage } from '../../../resources/record.ts';
import { callsOf } from '../../../resources/record-calls.ts';
import { loadPart } from '../../../ui/browser/lazy-chunks.ts';
import {
  append,
  type Bookmark,
  enter,
  indexOf,
  loadedPage,
  missing,
  type PagePlace,
  type PageWindow,
  placeAt,
  prepend,
  recordAt,
  trim,
  withRecords,
} from './page-window.ts';
import { type ListRequest, listInput, PAGE_SIZE } from './queries.ts';

/** Rows beyond those on the screen that are read before they are scrolled to. */
const AHEAD = 50;
/** The time that the scrollbar has to rest before a page far away is looked for, in milliseconds. */
const REST_MS = 120;

export interface ListState {
  window: PageWindow;
  total: number;
  isSimilar: boolean;
  /** Why rows on the screen could not be read; null if they could. */
  error: unknown;
  marks: ReadonlyMap<string, Mark>;
  /** The row to go to; a new object for each jump. */
  target: { row: number } | undefined;
}

export type Mark = 'changed' | 'gone';

const locate = () => loadPart(() => import('./locate.ts'));

/**
 * The records of a list in memory. It reads the pages that the rows on the screen need, in both directions, and drops those that
 * are far away.
 */
export class ListStore {
  readonly request: ListRequest;
  #state: ListState;
  readonly #listeners = new Set<() => void>();
  readonly #controller = new AbortController();
  #isReading = false;
  #wanted: { first: number; last: number } = { first: 0, last: 0 };
  #rest: ReturnType<typeof setTimeout> | undefined;
  firstRow = 0;
  comparedPage: RecordPage;

  constructor(request: ListRequest, page: RecordPage) {
    this.request = request;
    this.comparedPage = page;
    this.#state = ListStore.#entered(page);
  }

  static #entered(page: RecordPage, from?: PageWindow): ListState {
    const total = page.total ?? page.items.length;
    const window = enter(loadedPage(page, {}), {
      index: 0,
      isExact: true,
      total,
      ...(from !== undefined && { from }),
    });
    const isSimilar = page.isSimilar === true;
    return { window, total, isSimilar, error: null, marks: new Map(), target: undefined };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): ListState => this.#state;

  dispose(): void {
    clearTimeout(this.#rest);
    this.#controller.abort();
  }

  #set(change: Partial<ListState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }

  show(first: number, last: number): void {
    this.#wanted = { first, last };
    const window = trim(this.#state.window, first, last);
    if (window !== this.#state.window) this.#set({ window });
    void this.#read();
  }

  retry(): void {
    this.#set({ error: null });
    void this.#read();
  }

  async #read(): Promise<void> {
    clearTimeout(this.#rest);
    if (this.#isReading || this.#state.error !== null) return;
    const { first, last } = this.#wanted;
    const need = missing(this.#state.window, Math.max(0, first - AHEAD), last + AHEAD);
    if (need === undefined) return;
    if (need.kind === 'far') {
      this.#rest = setTimeout(() => void this.#find(first), REST_MS);
      return;
    }
    await this.#reading(async () => {
      if (need.kind === 'remembered') return this.#enterAt(need.bookmark);
      const page = loadedPage(await this.#page(need.place), need.place);
      const { window, total } = this.#state;
      this.#set({ window: (need.kind === 'next' ? append : prepend)(window, page, total) });
    });
  }

  /** Runs one read at a time, and the next one if the rows on the screen need it. */
  async #reading(read: () => Promise<void>): Promise<void> {
    this.#isReading = true;
    try {
      await read();
    } catch (error) {
      if (!this.#controller.signal.aborted) this.#set({ error });
    } finally {
      this.#isReading = false;
    }
    if (!this.#controller.signal.aborted) await this.#read();
  }

  #page(place: PagePlace, more: object = {}): Promise<RecordPage> {
    const { cursor, startAt } = place;
    const input = {
      ...listInput(this.request),
      limit: PAGE_SIZE,
      ...(cursor !== undefined && { cursor }),
      ...(startAt !== undefined && { startAt }),
      ...more,
    };
    return callsOf(this.request.resource).list.query(input, { signal: this.#controller.signal });
  }

  async #enterAt({ index, place }: Bookmark): Promise<void> {
    const page = await this.#page(place);
    const { window, total } = this.#state;
    const { prevCursor: cursor } = page;
    if (page.items.length === 0 && cursor !== undefined) {
      // The place is after all records: the last of them are before it.
      const last = { ...place, cursor };
      const loaded = loadedPage(await this.#page(last), last);
      const end = window.rowCount - loaded.records.length;
      this.#set({ window: enter(loaded, { index: end, isExact: window.isExact, total, from: window }) });
      return;
    }
    this.#set({
      window: enter(loadedPage(page, place), { index, isExact: window.isExact, total, from: window }),
    });
  }

  async #find(index: number): Promise<void> {
    if (index === 0) return this.#reading(() => this.#enterAt({ index: 0, count: 0, place: {} }));
    await this.#reading(async () => {
      const { valueAt } = await locate();
      const { window, total } = this.#state;
      const startAt = await valueAt(this.request, index / window.rowCount, total, this.#controller.signal);
      await this.#enterAt({ index, count: 0, place: { startAt } });
    });
  }

  async jumpTo(startAt: string): Promise<void> {
    const { findRank } = await locate();
    const { window, total } = this.#state;
    const [index, page] = await Promise.all([
      findRank(this.request, startAt, total, this.#controller.signal),
      this.#page({ startAt }),
    ]);
    const isExact = index.isExact && window.rowCount === total;
    const entered = enter(loadedPage(page, { startAt }), { index: index.row, isExact, total, from: window });
    this.#set({ window: { ...entered, moved: window.moved }, target: { row: entered.offset } });
  }

  update(newer: ReadonlyMap<string, DirectoryRecord>, marked: ReadonlyMap<string, Mark> = new Map()): void {
    const marks = new Map([...this.#state.marks, ...marked]);
    this.#set({ window: withRecords(this.#state.window, newer), marks });
  }

  /** Takes away the marks of changes. What is gone stays marked. */
  unmark(ids: Iterable<string>): void {
    const marks = new Map(this.#state.marks);
    for (const id of ids) if (marks.get(id) === 'changed') marks.delete(id);
    this.#set({ marks });
  }

  /** Reads what is on the screen again. The first record that is still there keeps its place, unless it is the first of all. */
  async refresh(): Promise<void> {
    const { window } = this.#state;
    const { first } = this.#wanted;
    const at = placeAt(window, first);
    const page = await this.#page(at.place, { limit: 2 * PAGE_SIZE, includeTotal: true });
    const { total = page.items.length } = page;
    const from = { ...window, pages: [], bookmarks: [] };
    const entered = enter(loadedPage(page, at.place), {
      index: at.index,
      isExact: window.isExact,
      total,
      from,
    });
    const kept = this.firstRow === 0 ? undefined : recordAt(window, first)?.record.id;
    const row = kept === undefined ? undefined : indexOf(entered, kept);
    const moved = window.moved + (row === undefined ? 0 : row - first);
    this.#set({ window: { ...entered, moved }, total, marks: new Map() });
  }
}
