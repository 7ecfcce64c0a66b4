import { describe, expect, it } from 'vitest';
import type { DirectoryRecord } from '../../../resources/record.ts';
import {
  append,
  endOf,
  enter,
  indexOf,
  KEPT_ROWS,
  type LoadedPage,
  loadedCount,
  missing,
  type PageWindow,
  prepend,
  recordAt,
  trim,
  withRecords,
} from './page-window.ts';

const TOTAL = 10_000;
const SIZE = 100;

const record = (index: number): DirectoryRecord => ({
  id: `r${index}`,
  status: 'active',
  version: 1,
  name: `Office ${index}`,
});

/** The page of the records from one to before another one of the whole list. */
function page(from: number, to = from + SIZE): LoadedPage {
  return {
    place: { cursor: `c${from}` },
    records: Array.from({ length: to - from }, (_, at) => record(from + at)),
    highlights: [],
    prevCursor: from === 0 ? undefined : `before ${from}`,
    nextCursor: to === TOTAL ? undefined : `after ${to}`,
  };
}

const first = () => enter(page(0), { index: 0, isExact: true, total: TOTAL });

/** A window of so many pages from the first one. */
function pages(count: number): PageWindow {
  let window = first();
  for (let at = 1; at < count; at += 1) window = append(window, page(at * SIZE), TOTAL);
  return window;
}

describe('a window of pages', () => {
  it('has a row for each record of the list, not only for those in memory', () => {
    expect(first()).toMatchObject({ offset: 0, isExact: true, rowCount: TOTAL });
    expect(recordAt(first(), 99)?.record).toEqual(record(99));
    expect(recordAt(first(), 100)).toBeUndefined();
  });

  it('drops the pages far from the rows on the screen, and remembers how to read them again', () => {
    const window = trim(pages(20), 1_900, 1_930);
    expect(loadedCount(window)).toBeLessThanOrEqual(2 * KEPT_ROWS + 4 * SIZE);
    expect(recordAt(window, 1_910)?.record).toEqual(record(1_910));
    expect(missing(window, 250, 280)).toEqual({
      kind: 'remembered',
      bookmark: { index: 200, count: SIZE, place: { cursor: 'c200' } },
    });
  });

  it('keeps every record at its row when a page before is put in', () => {
    const window = trim(pages(20), 1_900, 1_930);
    const before = prepend(window, page(window.offset - SIZE, window.offset), TOTAL);
    expect(before.moved).toBe(0);
    expect(indexOf(before, 'r1910')).toBe(1_910);
  });

  it('says by how many rows the records move when the beginning turns out to be elsewhere', () => {
    // Guessed to be at row 40, the page really begins with record 100.
    const guessed = enter(page(100), { index: 40, isExact: false, total: TOTAL });
    const window = prepend(guessed, page(0), TOTAL);
    expect(window).toMatchObject({ offset: 0, isExact: true, moved: 60 });
    expect(indexOf(window, 'r140')).toBe(40 + 40 + 60);
  });

  it('puts the last record at the end when the last page is reached', () => {
    const guessed = enter(page(TOTAL - 200, TOTAL - 100), { index: 5_000, isExact: false, total: TOTAL });
    const window = append(guessed, page(TOTAL - 100, TOTAL), TOTAL);
    expect(window).toMatchObject({ rowCount: TOTAL, isExact: true });
    expect(endOf(window)).toBe(TOTAL);
    expect(window.moved).toBe(TOTAL - 200 - 5_000);
  });

  it('leaves room to scroll on a side that has more, wherever it was entered', () => {
    const low = enter(page(500), { index: 0, isExact: false, total: TOTAL });
    expect(low.offset).toBe(1);
    const high = enter(page(500), { index: TOTAL + 50, isExact: false, total: TOTAL });
    expect(endOf(high)).toBe(TOTAL - 1);
    expect(high.isExact).toBe(false);
  });

  it('reads the beginning again from where it was, however far the page moves at which it was entered', () => {
    const entered = enter(page(5_000), { index: TOTAL - 10, isExact: false, total: TOTAL, from: first() });
    expect(entered.offset).toBeLessThan(TOTAL - 10);
    expect(missing(entered, 0, 30)).toMatchObject({
      kind: 'remembered',
      bookmark: { index: 0, count: SIZE },
    });
  });

  it('has the rows of the records that there are if the list ends before its total', () => {
    const ranked = { ...page(0), nextCursor: undefined };
    expect(enter(ranked, { index: 0, isExact: true, total: TOTAL }).rowCount).toBe(SIZE);
  });

  it('reads what is next to it by its cursors, with the place at which the list was entered', () => {
    const entered = { ...page(500), place: { startAt: 'M' } };
    const window = enter(entered, { index: 480, isExact: false, total: TOTAL });
    expect(missing(window, 560, 600)).toEqual({ kind: 'next', place: { cursor: 'after 600', startAt: 'M' } });
    expect(missing(window, 470, 500)).toEqual({
      kind: 'previous',
      place: { cursor: 'before 500', startAt: 'M' },
    });
    expect(missing(window, 490, 520)).toBeUndefined();
    expect(missing(window, 9_000, 9_030)).toEqual({ kind: 'far' });
  });

  it('puts newer records where the older ones are', () => {
    const newer = { ...record(7), name: 'Renamed' } as DirectoryRecord;
    const window = withRecords(first(), new Map([['r7', newer]]));
    expect(recordAt(window, 7)?.record).toBe(newer);
    expect(indexOf(window, 'r8')).toBe(8);
  });
});
