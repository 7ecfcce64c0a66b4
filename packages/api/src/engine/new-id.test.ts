import { expect, it } from 'vitest';
import { newId } from './new-id.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');

it('makes a different UUID of version 7 each time, and keeps the time in it', () => {
  const ids = Array.from({ length: 1_000 }, () => newId(NOW));
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(ids.map((id) => id.slice(19))).size).toBe(ids.length);
  for (const id of ids) {
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(NOW.getTime());
  }
});

it('orders IDs of one time by their sequence', () => {
  const ids = Array.from({ length: 1_000 }, (_, seq) => newId(NOW, seq));
  expect(ids.toSorted()).toEqual(ids);
});
