import { expect, it } from 'vitest';
import { randomOf } from '../random.ts';
import { faultKinds } from './faults.ts';
import { planFaults } from './plan.ts';

const DURATION_MS = 600_000;
const planOf = (seed: number, count = 120) =>
  planFaults(randomOf(seed).fork('faults'), { count, durationMs: DURATION_MS, kinds: faultKinds });

it('is the same for the same seed, whatever was drawn elsewhere, and another one for another', () => {
  const random = randomOf(7);
  random.between(0, 9);
  random.fork('client 1').chance(0.5);
  const again = planFaults(random.fork('faults'), {
    count: 120,
    durationMs: DURATION_MS,
    kinds: faultKinds,
  });
  expect(again).toEqual(planOf(7));
  expect(planOf(8)).not.toEqual(planOf(7));
});

it('has every kind where there is room, in order of time, within the time', () => {
  const plan = planOf(7);
  expect(new Set(plan.map(({ kind }) => kind))).toEqual(new Set(faultKinds));
  const times = plan.map(({ atMs }) => atMs);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(Math.max(...times)).toBeLessThan(DURATION_MS);
});

it('has only the kinds that are possible', () => {
  const plan = planFaults(randomOf(1), { count: 20, durationMs: 10_000, kinds: ['link cut'] });
  expect(new Set(plan.map(({ kind }) => kind))).toEqual(new Set(['link cut']));
});
