import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RosterError } from '../../errors/roster-error.ts';
import { cursorAt, type Edge, otherSideOf, parseEdge, type Sort } from './cursor.ts';

const byName: Sort = { key: 'name', column: 'name', isDescending: false };
const byTime: Sort = { key: 'createdAt', column: 'created_at', isDescending: true };
const list = ['offices', 'name', { status: ['active'] }];

/** Any text a database can hold. */
const text = fc.string({ unit: 'binary' }).filter((value) => value.isWellFormed() && !value.includes('\0'));
const time = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  .map((date) => date.toISOString());

/** The id of a record, or the least or greatest id, at which a page by `startAt` begins. */
const id = fc.oneof(
  fc.uuid(),
  fc.constantFrom('00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
);
const side = fc.constantFrom<Edge['side']>('after', 'from', 'before', 'through');

function reasonOf(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return error instanceof RosterError ? error.errorCode : String(error);
  }
}

describe('a cursor', () => {
  it('gives back the position it was made of, whatever the text or the time, and the side', () => {
    const check = (sort: Sort) => (value: string, id: string, side: Edge['side']) => {
      expect(parseEdge(cursorAt({ value, id, side }, list), list, sort)).toEqual({ value, id, side });
    };
    fc.assert(fc.property(text, id, side, check(byName)));
    fc.assert(fc.property(time, id, side, check(byTime)));
  });

  it('gives back the value that breaks ties, and is of no sort without one', () => {
    const byNames: Sort = { ...byName, tieBreak: { key: 'firstName', column: 'first_name' } };
    fc.assert(
      fc.property(text, text, id, side, (value, tie, id, side) => {
        const cursor = cursorAt({ value, tie, id, side }, list);
        expect(parseEdge(cursor, list, byNames)).toEqual({ value, tie, id, side });
        expect(reasonOf(() => parseEdge(cursor, list, byName))).toBe('invalid_cursor');
      }),
    );
    const hostile = cursorAt({ value: 'a', tie: 'a\0', id: crypto.randomUUID(), side: 'after' }, list);
    expect(reasonOf(() => parseEdge(hostile, list, byNames))).toBe('invalid_cursor');
  });

  it('has the other side of its position, which has this one as its other', () => {
    const edges = fc.record({ value: text, id, side });
    fc.assert(
      fc.property(edges, (edge) => {
        expect(otherSideOf(edge).side).not.toBe(edge.side);
        expect(otherSideOf(otherSideOf(edge))).toEqual(edge);
      }),
    );
  });

  it('belongs to its list alone', () => {
    const other = fc.jsonValue().filter((value) => JSON.stringify(value) !== JSON.stringify(list));
    fc.assert(
      fc.property(text, fc.uuid(), other, (value, id, another) => {
        const read = () => parseEdge(cursorAt({ value, id, side: 'after' }, list), another, byName);
        expect(reasonOf(read)).toBe('cursor_mismatch');
      }),
    );
  });

  it('is invalid_cursor when it is anything else', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value)).toString('base64url')),
    );
    fc.assert(
      fc.property(anything, (cursor) => {
        expect(reasonOf(() => parseEdge(cursor, list, byName))).toBe('invalid_cursor');
      }),
    );
  });

  it('is made of characters that need no escape in a URL', () => {
    fc.assert(
      fc.property(text, id, side, (value, id, side) => {
        expect(cursorAt({ value, id, side }, list)).toMatch(/^[\w-]+$/);
      }),
    );
  });
});
