import { hash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { invalidParameter, RosterError } from '../../errors/roster-error.ts';
import { isStorable } from '../fields/field.ts';
import { Time } from '../fields/schemas.ts';
import { RELEVANCE } from '../search/relevance.ts';
import { SEARCH_WORDS_MAX, type WordForm } from '../search/search.ts';

/** A value that no column has, and how it is ordered. */
export interface ComputedValue {
  value: RawBuilder<unknown>;
  ordered(value: RawBuilder<unknown>, sort: Pick<Sort, 'isDescending'>): RawBuilder<unknown>;
}

/** A sort of a list, read from `name` or `-name`. */
export interface Sort {
  /** The key in the record's JSON, such as `createdAt`. */
  key: string;
  /** The column behind it. */
  column: string;
  /** If no column has the value. */
  computed?: ComputedValue;
  /** The key and the column that break ties before the id does, in the same direction. */
  tieBreak?: { key: string; column: string };
  /** The column of the id, if it is not `id`. */
  idColumn?: string;
  isDescending: boolean;
}

/**
 * Which records of a list a page reads, seen from a position and in the order of the sort: those after it, from it on (with
 * the one at it), before it, or through it (with the one at it). `before` and `through` are read backward: the page has the
 * nearest ones, in the order of the list.
 */
export type Side = 'after' | 'from' | 'before' | 'through';

/** The beginning of a page: a value of the sort, the id of a record, and the side that is read. */
export interface Edge {
  value: string;
  /** The value that breaks ties, if the sort has one and the page begins at a record. */
  tie?: string | undefined;
  id: string;
  side: Side;
  /** If the page is of a search for similar words: that for each word, or null. */
  similar?: (WordForm | null)[] | undefined;
}

const Similar = z
  .array(z.strictObject({ text: z.string().min(1).max(60), distance: z.int().min(1).max(2) }).nullable())
  .max(SEARCH_WORDS_MAX);

/**
 * The value, with the one that breaks ties if there is one, the id, the binding, the side (`after` if it is left out), and the
 * similar words of a search for them.
 */
const Cursor = z.tuple([
  z.union([z.string(), z.tuple([z.string(), z.string()])]),
  z.uuid(),
  z.string(),
  z.enum(['after', 'from', 'before', 'through']).optional(),
  Similar.optional(),
]);

/** The side that has all the other records. */
const otherSides: Record<Side, Side> = { after: 'through', through: 'after', before: 'from', from: 'before' };

/** The same position with the records on its other side. */
export const otherSideOf = (edge: Edge): Edge => ({ ...edge, side: otherSides[edge.side] });

/** Whether the records of a side are read backward. */
export const isBackward = ({ side }: Pick<Edge, 'side'>) => side === 'before' || side === 'through';

const ID_MIN = '00000000-0000-0000-0000-000000000000';
const ID_MAX = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The form that a value needs to be compared with those of a key, in words; undefined if the value has it. */
function expectedOf(value: string, key: string): string | undefined {
  if (isTime(key) && !Time.safeParse(value).success) return 'an RFC 3339 time such as 2026-01-31T08:00:00Z';
  if (isDay(key) && !z.iso.date().safeParse(value).success) return 'a day such as 2026-01-31';
  return undefined;
}

/**
 * The beginning of a list at a value of its sort: the records that have the value, and all after them.
 * Throws `invalid_parameter` if the list is sorted by time or by day and the value is none.
 */
export function startAtValue(value: string, { key, isDescending }: Sort): Edge {
  const expected = expectedOf(value, key);
  if (expected !== undefined) {
    const detail = `must be ${expected}, as the list is sorted by ${key}`;
    throw invalidParameter('startAt', 'invalid_format', detail);
  }
  return { value, id: isDescending ? ID_MAX : ID_MIN, side: 'from' };
}

/** A short digest of everything that decides which records come in which order: a cursor is bound to it. */
function bindingOf(list: unknown): string {
  return hash('sha256', JSON.stringify(list), 'base64url').slice(0, 12);
}

/** The opaque cursor of the page of `list` that begins at an edge. */
export function cursorAt({ value, tie, id, side, similar }: Edge, list: unknown): string {
  const more = similar === undefined ? (side === 'after' ? [] : [side]) : [side, similar];
  return encodeCursor([tie === undefined ? value : [value, tie], id, bindingOf(list), ...more]);
}

/**
 * Reads a cursor back. Throws `invalid_cursor` for what is none of ours, and `cursor_mismatch` for one
 * that belongs to another filter or sort.
 */
export function parseEdge(cursor: string, list: unknown, sort: Sort): Edge {
  const [values, id, binding, side = 'after', similar] = decodeCursor(Cursor, cursor);
  if (binding !== bindingOf(list)) throw new RosterError('cursor_mismatch');
  const [value = '', tie] = [values].flat();
  const isReadable =
    isValueOf(sort, value) &&
    (tie === undefined || (sort.tieBreak !== undefined && isStorable(tie))) &&
    (similar ?? []).every((word) => word === null || isStorable(word.text));
  if (!isReadable) throw new RosterError('invalid_cursor');
  return { value, ...(tie !== undefined && { tie }), id, side, ...(similar && { similar }) };
}

/** Whether a text is a value of a sort. */
function isValueOf({ key }: Sort, value: string): boolean {
  if (key === RELEVANCE) return /^-?\d{1,6}$/.test(value);
  if (key === SCORE) return /^[01]\.\d\d$/.test(value);
  return isTime(key) ? Time.safeParse(value).success : isStorable(value);
}

/** The type of the values of a sort. */
function typeOf({ key }: Sort): string {
  if (key === RELEVANCE) return 'int';
  if (key === SCORE) return 'numeric';
  return isTime(key) ? 'timestamptz' : 'text';
}

/** The key of a score from 0 to 1, in hundredths. */
export const SCORE = 'score';

/** Whether a key of a record holds a time. */
export const isTime = (key: string) => key.endsWith('At');

/** Whether it holds a day of the calendar. */
const isDay = (key: string) => key.endsWith('On');

/** The opaque text of a cursor. */
export function encodeCursor(cursor: unknown): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

/** Reads the text of a cursor back. Throws `invalid_cursor` for what is none of ours. */
export function decodeCursor<Schema extends z.ZodType>(schema: Schema, cursor: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch (cause) {
    throw new RosterError('invalid_cursor', undefined, { cause });
  }
}

/** The expression that a sort compares. */
export function orderOf(sort: Sort): RawBuilder<unknown> {
  const { column, computed } = sort;
  return computed === undefined ? sql.ref(column) : computed.ordered(computed.value, sort);
}

const comparisons: Record<Side, { ascending: string; descending: string }> = {
  after: { ascending: '>', descending: '<' },
  from: { ascending: '>=', descending: '<=' },
  before: { ascending: '<', descending: '>' },
  through: { ascending: '<=', descending: '>=' },
};

/** A position in a list, as parameters. Without a value that breaks ties it is before or after all records of its value. */
export interface Position {
  value: RawBuilder<unknown>;
  tie: RawBuilder<unknown> | undefined;
  id: RawBuilder<unknown>;
}

/** The records of one side of a position, as a condition an index on the columns of the sort answers: never OFFSET. */
export function isOnSide({ value, tie, id }: Position, sort: Sort, side: Side): RawBuilder<boolean> {
  const { isDescending, tieBreak, idColumn = 'id' } = sort;
  const comparison = sql.raw(comparisons[side][isDescending ? 'descending' : 'ascending']);
  const type = sql.raw(typeOf(sort));
  const isTied = tieBreak !== undefined && tie !== undefined;
  const column = isTied ? sql`, ${sql.ref(tieBreak.column)}` : sql``;
  const position = isTied ? sql`, ${tie}::text` : sql``;
  return sql<boolean>`(${orderOf(sort)}${column}, ${sql.ref(idColumn)}) ${comparison} (${value}::${type}${position}, ${id}::uuid)`;
}

/**
 * ORDER BY of a sort, or of its reverse; what breaks ties has the same direction, so that one index serves both ways.
 */
export function inOrder(sort: Sort, { isReversed }: { isReversed: boolean }): RawBuilder<unknown> {
  const { isDescending, tieBreak, idColumn = 'id' } = sort;
  const direction = sql.raw(isDescending === isReversed ? 'asc' : 'desc');
  const tie = tieBreak === undefined ? sql`` : sql`${sql.ref(tieBreak.column)} ${direction}, `;
  return sql`order by ${orderOf(sort)} ${direction}, ${tie}${sql.ref(idColumn)} ${direction}`;
}
