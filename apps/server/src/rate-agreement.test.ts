import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Admitted, type Life, RateWorld } from './testing/rate-world.ts';

const WINDOW_MS = 60_000;
const FOREVER_MS = 10_000_000;
const policyOf = (quota: number) => ({ quota, windowMs: WINDOW_MS });
const life = (startMs = 0, more: Partial<Life> = {}): Life => ({
  ...{ startMs, endMs: FOREVER_MS, isKilled: false, latencyMs: 1 },
  ...more,
});

/** The most that went through in any stretch of time beyond what grew back in it. */
function mostAtOnce(admitted: Admitted[], quota: number): number {
  let most = 0;
  let left = 0;
  let since = admitted[0]?.atMs ?? 0;
  for (const { atMs, cost } of admitted) {
    left = Math.max(0, left - ((atMs - since) / WINDOW_MS) * quota) + cost;
    since = atMs;
    most = Math.max(most, left);
  }
  return most;
}

/** A caller who sends more than the quota in every way there is, to servers that come and go. */
const attacks = fc.record({
  quota: fc.integer({ min: 6, max: 1_200 }),
  lives: fc.array(
    fc.record({
      startMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 8_000 })),
      endMs: fc.oneof(fc.constant(FOREVER_MS), fc.integer({ min: 8_001, max: 12_000 })),
      isKilled: fc.boolean(),
      latencyMs: fc.integer({ min: 0, max: 40 }),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  bursts: fc.array(
    fc.record({
      atMs: fc.oneof(fc.integer({ min: 0, max: 14_000 }), fc.integer({ min: 7_990, max: 8_100 })),
      share: fc.double({ min: 0.01, max: 1.2, noNaN: true }),
      overMs: fc.constantFrom(0, 0, 5, 500, 5_000),
      spread: fc.constantFrom('one', 'all') as fc.Arbitrary<'one' | 'all'>,
      cost: fc.constantFrom(1, 1, 1, 3),
    }),
    { minLength: 1, maxLength: 6 },
  ),
});

describe('a caller who spreads requests over servers', () => {
  it('never gets more in any stretch of time than the quota, what grew back, and a second’s worth', () => {
    fc.assert(
      fc.property(attacks, ({ quota, lives, bursts }) => {
        const world = new RateWorld(policyOf(quota), lives);
        for (const { atMs, share, overMs, spread, cost } of bursts) {
          const count = Math.ceil((share * quota) / cost);
          for (let index = 0; index < count; index += 1) {
            world.request(atMs + (index / count) * overMs, spread === 'one' ? atMs : index, cost);
          }
        }
        world.run(30_000);
        const perSecond = quota / 60;
        // A grant is used a moment after it was given: by then a little more has grown back.
        const late = perSecond * 0.1 + 0.5;
        expect(mostAtOnce(world.admitted, quota)).toBeLessThanOrEqual(quota + perSecond + late + world.lost);
      }),
      { numRuns: 100 },
    );
  });

  it.each([1, 2, 3, 5])('gets the whole quota at once, and then no more, from %i servers', (count) => {
    const world = new RateWorld(
      policyOf(60),
      Array.from({ length: count }, () => life()),
    );
    for (let index = 0; index < 200; index += 1) world.request(5_000, index);
    world.run(5_900);
    expect(world.admitted.length).toBeGreaterThanOrEqual(60);
    expect(world.admitted.length).toBeLessThanOrEqual(61);
    expect(world.refused).toBe(200 - world.admitted.length);
  });

  it('who keeps to the rate is never refused, nor kept waiting, and makes no exchange of its own', () => {
    const world = new RateWorld(policyOf(600), [life(), life()]);
    for (let index = 0; index < 300; index += 1) world.request(5_000 + index * 100, index);
    world.run(36_000);
    expect([world.admitted.length, world.refused]).toEqual([300, 0]);
    expect(world.admitted.map(({ atMs }) => atMs)).toEqual(
      Array.from({ length: 300 }, (_, index) => 5_000 + index * 100),
    );
    expect(world.exchanges).toBeLessThan(2 * 36 * 4);
  });

  it('keeps what was spent while one server was alone, when another joins it and when it goes', () => {
    const world = new RateWorld(policyOf(60), [life(0, { endMs: 3_000 }), life(2_000)]);
    for (let index = 0; index < 40; index += 1) world.request(1_900, 0);
    for (let index = 0; index < 40; index += 1) world.request(2_000, 1);
    for (let index = 0; index < 40; index += 1) world.request(4_000, 1);
    world.run(6_000);
    expect(world.admitted.length).toBeGreaterThanOrEqual(60);
    expect(world.admitted.length).toBeLessThanOrEqual(62);
  });
});

describe('a server', () => {
  it('decides at once while it is alone, however much it is asked', () => {
    const world = new RateWorld(policyOf(600), [life()]);
    const times = Array.from({ length: 600 }, (_, index) => 1_000 + index);
    for (const atMs of times) world.request(atMs, 0);
    world.run(3_000);
    expect(world.admitted.map(({ atMs }) => atMs)).toEqual(times);
    expect(world.exchanges).toBeLessThan(3 * 4);
  });

  it('that stood still while another one came asks before it decides anything', () => {
    const still = { fromMs: 2_000, untilMs: 5_000 };
    const world = new RateWorld(policyOf(60), [life(0, { still }), life(3_500)]);
    for (let index = 0; index < 60; index += 1) world.request(4_900, 1);
    for (let index = 0; index < 60; index += 1) world.request(4_950, 0);
    world.run(7_000);
    expect(world.admitted.length).toBeGreaterThanOrEqual(60);
    expect(world.admitted.length).toBeLessThanOrEqual(61);
  });

  it('decides by itself while the database is away, and tells of it afterwards', () => {
    const world = new RateWorld(policyOf(60), [life(), life()]);
    world.at(5_000, () => {
      world.isDatabaseAway = true;
    });
    for (let index = 0; index < 40; index += 1) world.request(6_000, 0);
    world.at(6_500, () => {
      expect(world.admitted).toHaveLength(40);
      world.isDatabaseAway = false;
    });
    for (let index = 0; index < 40; index += 1) world.request(8_000, 1);
    world.run(9_000);
    expect(world.admitted.length).toBeGreaterThanOrEqual(60);
    expect(world.admitted.length).toBeLessThanOrEqual(64);
  });

  it('tells a database that crashed what it knows, and does not think itself alone', () => {
    const world = new RateWorld(policyOf(60), [life(), life()]);
    for (let index = 0; index < 60; index += 1) world.request(5_000, index);
    world.at(6_000, () => world.forget());
    for (let index = 0; index < 120; index += 1) world.request(6_500, index);
    world.run(9_000);
    expect(world.admitted.length).toBeGreaterThanOrEqual(60);
    expect(world.admitted.length).toBeLessThanOrEqual(63);
  });

  it('is alone again a window after the last other one has gone', () => {
    const world = new RateWorld(policyOf(60), [life(), life(0, { endMs: 5_000 })]);
    for (let index = 0; index < 60; index += 1) world.request(80_000, 0);
    world.run(80_000);
    expect(world.admitted.map(({ atMs }) => atMs)).toEqual(Array.from({ length: 60 }, () => 80_000));
  });
});
