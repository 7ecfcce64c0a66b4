import { hash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { invalidParameter, RosterError } from '../../errors/roster-error.ts';
import { isStorable } from '../fields/field.ts';
import { Time } from '../fields/schemas.ts';
import { RELEVANCE } from '../search/relevance.ts';
import { SEARCH_WORDS_MAX, type WordForm } from '../search/search.ts';
import { FORMS_MAX } from '../search/similar-words.ts';

export interface ComputedValue {
  value: RawBuilder<unknown>;
  /** The value that is seen under a limit, if it depends on one. */
  limited?: (offices: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** A given value, in the form of the value that is compared with it. */
  position?: (given: RawBuilder<unknown>) => RawBuilder<unknown>;
  ordered(value: RawBuilder<unknown>, sort: Pick<Sort, 'isDescending'>): RawBuilder<unknown>;
}

export interface Sort {
  key: string;
  column: string;
  computed?: ComputedValue;
  tieBreak?: { key: string; column: string };
  /** Defaults to `id`. */
  idColumn?: string;
  isDescending: boolean;
}

/** In sort order. `before` and `through` (with the position itself) have the nearest records, in list order. */
export type Side = 'after' | 'from' | 'before' | 'through';

export interface Edge {
  value: string;
  tie?: string | undefined;
  id: string;
  side: Side;
  /** In a search for similar words: the replacements of each word, or null. */
  similar?: (WordForm[] | null)[] | undefined;
}

const Similar = z
  .array(
    z
      .array(z.strictObject({ text: z.string().min(1).max(60), distance: z.int().min(1).max(2) }))
      .max(FORMS_MAX)
      .nullable(),
  )
  .max(SEARCH_WORDS_MAX);

const Cursor = z.tuple([
  z.union([z.string(), z.tuple([z.string(), z.string()])]),
  z.uuid(),
  z.string(),
  z.enum(['after', 'from', 'before', 'through']).optional(),
  Similar.optional(),
]);

const otherSides: Record<Side, Side> = { after: 'through', through: 'after', before: 'from', from: 'before' };

export const otherSideOf = (edge: Edge): Edge => ({ ...edge, side: otherSides[edge.side] });

export const isBackward = ({ side }: Pick<Edge, 'side'>) => side === 'before' || side === 'through';

const ID_MIN = '00000000-0000-0000-0000-000000000000';
const ID_MAX = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

function expectedOf(value: string, key: string): string | undefined {
  if (isTime(key) && !Time.safeParse(value).success) return 'an RFC 3339 time such as 2026-01-31T08:00:00Z';
  if (isDay(key) && !z.iso.date().safeParse(value).success) return 'a day such as 2026-01-31';
  return undefined;
}

/** Throws `invalid_parameter` for a value that is no time or day in a list sorted by one. */
export function startAtValue(value: string, { key, isDescending }: Sort): Edge {
  const expected = expectedOf(value, key);
  if (expected !== undefined) {
    const detail = `must be ${expected}, as the list is sorted by ${key}`;
    throw invalidParameter('startAt', 'invalid_format', detail);
  }
  return { value, id: isDescending ? ID_MAX : ID_MIN, side: 'from' };
}

function bindingOf(list: unknown): string {
  return hash('sha256', JSON.stringify(list), 'base64url').slice(0, 12);
}

export function cursorAt({ value, tie, id, side, similar }: Edge, list: unknown): string {
  const more = similar === undefined ? (side === 'after' ? [] : [side]) : [side, similar];
  return encodeCursor([tie === undefined ? value : [value, tie], id, bindingOf(list), ...more]);
}

/** Throws `invalid_cursor`, or `cursor_mismatch` for a cursor of another filter or sort. */
export function parseEdge(cursor: string, list: unknown, sort: Sort): Edge {
  const [values, id, binding, side = 'after', similar] = decodeCursor(Cursor, cursor);
  if (binding !== bindingOf(list)) throw new RosterError('cursor_mismatch', MISMATCH);
  const [value = '', tie] = [values].flat();
  const isReadable =
    isValueOf(sort, value) &&
    (tie === undefined || (sort.tieBreak !== undefined && isStorable(tie))) &&
    (similar ?? []).every((forms) => (forms ?? []).every(({ text }) => isStorable(text)));
  if (!isReadable) throw new RosterError('invalid_cursor', unknownCursor);
  return { value, ...(tie !== undefined && { tie }), id, side, ...(similar && { similar }) };
}

function isValueOf({ key }: Sort, value: string): boolean {
  if (key === RELEVANCE) return /^-?\d{1,6}$/.test(value);
  if (key === SCORE) return /^[01]\.\d\d$/.test(value);
  return isTime(key) ? Time.safeParse(value).success : isStorable(value);
}

function typeOf({ key }: Sort): string {
  if (key === RELEVANCE) return 'int';
  if (key === SCORE) return 'numeric';
  return isTime(key) ? 'timestamptz' : 'text';
}

/** A score from 0 to 1, in hundredths. */
const SCORE = 'score';

export const isTime = (key: string) => key.endsWith('At');

const isDay = (key: string) => key.endsWith('On');

export function encodeCursor(cursor: unknown): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

export const unknownCursor = 'The cursor is not one that this list returned.';

/** Throws `invalid_cursor` for a malformed cursor. */
export function decodeCursor<Schema extends z.ZodType>(schema: Schema, cursor: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch (cause) {
    throw new RosterError('invalid_cursor', unknownCursor, { cause });
  }
}

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

/** Without `tie`, the position is before or after all records with its value. */
export interface Position {
  value: RawBuilder<unknown>;
  tie: RawBuilder<unknown> | undefined;
  id: RawBuilder<unknown>;
}

/** Keyset condition for an index on the sort columns, so that no OFFSET is needed. */
export function isOnSide({ value, tie, id }: Position, sort: Sort, side: Side): RawBuilder<boolean> {
  const { isDescending, computed, tieBreak, idColumn = 'id' } = sort;
  const comparison = sql.raw(comparisons[side][isDescending ? 'descending' : 'ascending']);
  const type = sql.raw(typeOf(sort));
  const isTied = tieBreak !== undefined && tie !== undefined;
  const column = isTied ? sql`, ${sql.ref(tieBreak.column)}` : sql``;
  const position = isTied ? sql`, ${tie}::text` : sql``;
  const typed = sql`${value}::${type}`;
  const compared = computed?.position?.(typed) ?? typed;
  return sql<boolean>`(${orderOf(sort)}${column}, ${sql.ref(idColumn)}) ${comparison} (${compared}${position}, ${id}::uuid)`;
}

/** ORDER BY of a sort or its reverse. All columns have one direction, so that one index serves both. */
export function inOrder(sort: Sort, { isReversed }: { isReversed: boolean }): RawBuilder<unknown> {
  const { isDescending, tieBreak, idColumn = 'id' } = sort;
  const direction = sql.raw(isDescending === isReversed ? 'asc' : 'desc');
  const tie = tieBreak === undefined ? sql`` : sql`${sql.ref(tieBreak.column)} ${direction}, `;
  return sql`order by ${orderOf(sort)} ${direction}, ${tie}${sql.ref(idColumn)} ${direction}`;
}

const MISMATCH =
  'The cursor belongs to a list with other filters, another sort or another `startAt`. Send those again, or omit `cursor`.';
