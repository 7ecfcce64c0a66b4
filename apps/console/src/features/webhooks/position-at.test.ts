import { expect, it } from 'vitest';
import { positionBefore } from './position-at.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));

/** A log with an event every ten minutes, at every third position. */
const log = Array.from({ length: 100 }, (_, index) => ({
  position: (index + 1) * 3,
  occurredAt: at(index * 10).toISOString(),
}));

const firstAfter = async (position: number) => log.find((event) => event.position > position);

it.each([0, 5, 10, 500, 501, 985])(
  'all events since minute %s are after the position, and none long before',
  async (minute) => {
    const position = await positionBefore(at(minute), { end: 300, firstAfter });
    const wanted = log.filter(({ occurredAt }) => Date.parse(occurredAt) >= at(minute).getTime());
    const got = log.filter((event) => event.position > position);
    expect(got.slice(-wanted.length)).toEqual(wanted);
    expect(got.length - wanted.length).toBeLessThanOrEqual(1);
  },
);

it('after the last event nothing is left, and before the first one everything', async () => {
  expect(await positionBefore(at(2_000), { end: 300, firstAfter })).toBe(300);
  expect(await positionBefore(new Date(0), { end: 300, firstAfter })).toBe(0);
});

it('the compacted part of the log is skipped', async () => {
  const compacted = async (position: number) => (position < 150 ? null : firstAfter(position));
  expect(await positionBefore(new Date(0), { end: 300, firstAfter: compacted })).toBe(150);
});

it('a long log is found in few readings', async () => {
  let readings = 0;
  const counted = async (position: number) => {
    readings += 1;
    return { position: position + 1, occurredAt: new Date((position + 1) * 1_000).toISOString() };
  };
  expect(await positionBefore(new Date(5e9), { end: 10_000_000, firstAfter: counted })).toBe(5e6 - 61);
  expect(readings).toBeLessThan(30);
});
