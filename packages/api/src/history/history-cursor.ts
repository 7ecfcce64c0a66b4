import { z } from 'zod';
import { RosterError } from '../errors/roster-error.ts';
import type { HistoryPlace } from './repository.ts';

const POSITION = /^\d{1,18}$/;
const Cursor = z.tuple([
  z.string().regex(POSITION),
  z.int().min(0).nullable(),
  /** The record. */
  z.uuid(),
]);

/** The opaque cursor of the page after an event, bound to its record. */
export function cursorOf({ id, position }: HistoryPlace, subject: string): string {
  return Buffer.from(JSON.stringify([id, position, subject])).toString('base64url');
}

function parsed(cursor: string): z.infer<typeof Cursor> {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch (cause) {
    throw new RosterError('invalid_cursor', undefined, { cause });
  }
}

/** Reads a cursor back. Throws `invalid_cursor`, and `cursor_mismatch` if it belongs to the history of another record. */
export function parsePlace(cursor: string, subject: string): HistoryPlace {
  const [id, position, record] = parsed(cursor);
  if (record !== subject) throw new RosterError('cursor_mismatch');
  return { id, position };
}
