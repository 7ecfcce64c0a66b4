import { expect, it } from 'vitest';
import { Share } from './share.ts';

/** Takes one after the other until no more is allowed; returns how many. */
function fill(share: Share, key: string): number {
  let taken = 0;
  for (; share.allows(key); taken += 1) share.take(key);
  return taken;
}

it('lets one key hold half, and leaves room for the next', () => {
  const share = new Share({ max: 120 });
  expect(['a', 'b', 'c'].map((key) => fill(share, key))).toEqual([60, 30, 15]);
  share.release('a', 60);
  expect([share.total, share.heldBy('a'), share.heldBy('b')]).toEqual([45, 0, 30]);
  expect(share.allows('b', 45)).toBe(true);
  expect(share.allows('b', 46)).toBe(false);
});

it('lets a key hold a fixed number, and all of them the maximum', () => {
  const share = new Share({ max: 5, perKeyMax: 2 });
  expect(['a', 'b', 'c', 'd'].map((key) => fill(share, key))).toEqual([2, 2, 1, 0]);
  share.release('a');
  expect(fill(share, 'd')).toBe(1);
});

it('lets a key hold a minimum, however little is free', () => {
  const share = new Share({ max: 12, perKeyMax: (free) => Math.max(free, 8) });
  expect(['a', 'b'].map((key) => fill(share, key))).toEqual([8, 4]);
});
