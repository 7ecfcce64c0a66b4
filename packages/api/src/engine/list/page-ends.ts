import type { WordForm } from '../search/search.ts';
import { cursorAt, type Edge, isBackward, otherSideOf, type Side } from './cursor.ts';

/** Between two items of a page. No line break is within one: PostgreSQL writes none into JSON, and escapes those of texts. */
export const SEPARATOR = ',\n';

/** A page as it is read, each column as its text. "First" and "last" are in the order in which it is read. */
export interface ReadPage {
  /** The records as JSON, with `SEPARATOR` between two; null if the rows of some keep JSON of another schema version. */
  items: string | null;
  /** If another page follows, the last item is its first: the id of that. */
  next_id: string | null;
  /** If the page is full: the sort value, the one that breaks ties if there is one, and the id of its last record. */
  last_value: string | null;
  last_tie?: string | null;
  last_id: string | null;
  /** If the page begins at an edge: the same of its first record, null if it has none. */
  first_value?: string | null;
  first_tie?: string | null;
  first_id?: string | null;
  /** If the page begins at `startAt`: not null if records are before it. */
  has_before?: string | null;
}

/** The position of a page in its list. */
export interface Place {
  /** The list that its cursors are bound to. */
  list: unknown;
  edge: Edge | undefined;
  /** Whether it begins at `startAt`. */
  isStart: boolean;
  /** The similar words that it was searched for. */
  similar: (WordForm | null)[] | undefined;
}

/** The items in the order of the list, without the one that was read beyond the page. */
export function itemsOn({ items, next_id: nextId }: ReadPage, { edge }: Place): string {
  if (items === null) return '';
  const read = nextId === null ? items : items.slice(0, items.lastIndexOf(SEPARATOR));
  return edge !== undefined && isBackward(edge) ? read.split(SEPARATOR).reverse().join(SEPARATOR) : read;
}

/** One end of a page; undefined if that has no record. */
function endOf([value, tie, id]: (string | null | undefined)[], side: Side): Edge | undefined {
  if (value == null || id == null) return undefined;
  return { value: value, ...(tie != null && { tie: tie }), id, side };
}

/**
 * The cursors of the pages on both sides. Whether records follow in the direction of reading is read with the page. Those on
 * the other side were there when the cursor was made, and an empty page has a cursor back to them.
 */
export function cursorsOf(row: ReadPage, { list, edge, isStart, similar }: Place) {
  const isReversed = edge !== undefined && isBackward(edge);
  const [ahead, behind] = isReversed ? (['before', 'after'] as const) : (['after', 'before'] as const);
  const cursorOf = (end: Edge | undefined) => end && cursorAt({ ...end, similar }, list);
  const onward = cursorOf(
    row.next_id === null ? undefined : endOf([row.last_value, row.last_tie, row.last_id], ahead),
  );
  const hasBehind = edge !== undefined && !(isStart && row.has_before === null);
  const back = hasBehind
    ? cursorOf(endOf([row.first_value, row.first_tie, row.first_id], behind) ?? otherSideOf(edge))
    : undefined;
  return isReversed ? { nextCursor: back, prevCursor: onward } : { nextCursor: onward, prevCursor: back };
}
