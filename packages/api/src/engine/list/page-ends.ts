import type { WordForm } from '../search/search.ts';
import { cursorAt, type Edge, isBackward, otherSideOf, type Side } from './cursor.ts';

/** PostgreSQL writes no line breaks into JSON and escapes those in texts, so no item contains one. */
export const SEPARATOR = ',\n';

/** Each column as text. "First" and "last" are in reading order. */
export interface ReadPage {
  /** Items as JSON, each character a byte of its UTF-8, separated by `SEPARATOR`; null if some rows keep JSON of another schema version. */
  items: string | null;
  /** If another page follows: the ID of its first record, which is the last item here. */
  next_id: string | null;
  last_value: string | null;
  last_tie?: string | null;
  last_id: string | null;
  first_value?: string | null;
  first_tie?: string | null;
  first_id?: string | null;
  has_before?: string | null;
}

export interface Place {
  list: unknown;
  edge: Edge | undefined;
  isStart: boolean;
  similar: (WordForm[] | null)[] | undefined;
}

export function itemsOn({ items, next_id: nextId }: ReadPage, { edge }: Place): string {
  if (items === null) return '';
  const read = nextId === null ? items : items.slice(0, items.lastIndexOf(SEPARATOR));
  return edge !== undefined && isBackward(edge) ? read.split(SEPARATOR).reverse().join(SEPARATOR) : read;
}

function endOf([value, tie, id]: (string | null | undefined)[], side: Side): Edge | undefined {
  if (value == null || id == null) return undefined;
  return { value: value, ...(tie != null && { tie: tie }), id, side };
}

/**
 * The cursors of both neighbouring pages. The page tells whether records follow in the reading direction. The
 * other side had records when the cursor was made, so even an empty page has a cursor back.
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
