import { hash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { RosterError } from '../../errors/roster-error.ts';
import { Time } from './parameters.ts';

/** A sort of a list, read from `name` or `-name`. */
export interface Sort {
  /** The key in the record's JSON, such as `createdAt`. */
  key: string;
  /** The column behind it. */
  column: string;
  isDescending: boolean;
}

/** Where a page ends: the last record's value of the sort, and its id. */
interface Position {
  value: string;
  id: string;
}

const Cursor = z.tuple([z.string(), z.uuid(), z.string()]);

/** What a cursor is bound to: a short digest of everything that decides which records come in which order. */
function bindingOf(list: unknown): string {
  return hash('sha256', JSON.stringify(list), 'base64url').slice(0, 12);
}

/** The opaque cursor that continues `list` after a position. */
export function cursorAfter({ value, id }: Position, list: unknown): string {
  return Buffer.from(JSON.stringify([value, id, bindingOf(list)])).toString('base64url');
}

/**
 * Reads a cursor back. Throws `invalid_cursor` for what is none of ours, and `cursor_mismatch` for one
 * that belongs to another filter or sort.
 */
export function positionOf(cursor: string, list: unknown, sort: Sort): Position {
  const [value, id, binding] = parsed(cursor);
  if (binding !== bindingOf(list)) throw new RosterError('cursor_mismatch');
  const isReadable = isTime(sort.key) ? Time.safeParse(value).success : isText(value);
  if (!isReadable) throw new RosterError('invalid_cursor');
  return { value, id };
}

/** Whether a key of a record holds a time. */
export const isTime = (key: string) => key.endsWith('At');

function isText(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}

function parsed(cursor: string): z.infer<typeof Cursor> {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch (cause) {
    throw new RosterError('invalid_cursor', undefined, { cause });
  }
}

/** The records after a position, as a condition an index on (column, id) answers: never OFFSET. */
export function isAfter(
  { value, id }: Record<keyof Position, RawBuilder<unknown>>,
  { key, column, isDescending }: Sort,
): RawBuilder<boolean> {
  const comparison = sql.raw(isDescending ? '<' : '>');
  const type = sql.raw(isTime(key) ? 'timestamptz' : 'text');
  return sql<boolean>`(${sql.ref(column)}, id) ${comparison} (${value}::${type}, ${id}::uuid)`;
}

/** ORDER BY of a sort; the id breaks ties in the same direction, so that one index serves both ways. */
export function inOrder({ column, isDescending }: Sort): RawBuilder<unknown> {
  const direction = sql.raw(isDescending ? 'desc' : 'asc');
  return sql`order by ${sql.ref(column)} ${direction}, id ${direction}`;
}
