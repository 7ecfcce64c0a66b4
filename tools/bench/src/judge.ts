import { medianOf } from '../../harness/src/statistics.ts';
import { OURS, REFERENCE } from './contestants.ts';
import type { Sample } from './turns.ts';
import { comparedWith } from './works.ts';

/** What is compared of a turn. */
export type Figure = 'ratePerS' | 'serverUs' | 'databaseUs' | 'p50Ms' | 'p99Ms';

/** The least rate of Roster relative to the reference in the same turn, on slow machines too. */
const BOUNDS: Readonly<Record<string, number>> = {
  get: 1.2,
  list: 3.3,
  search: 1.8,
  create: 1.5,
  patch: 1.4,
  'rpc-get': 1.2,
};

/** Requests after which the memory counts. */
export const MEMORY_REQUESTS = 500_000;

/** What a contestant has of a figure at a work by what the reference has, turn by turn. */
export function ratiosOf(
  samples: Sample[],
  contestant: string,
  work: string,
  figure: Figure = 'ratePerS',
): number[] {
  const reference = comparedWith(work);
  const others = samples.filter((sample) => sample.contestant === REFERENCE && sample.work === reference);
  const values = new Map(others.map((sample) => [sample.turn, sample[figure]]));
  return samples
    .filter((sample) => sample.contestant === contestant && sample.work === work)
    .map((sample) => sample[figure] / (values.get(sample.turn) ?? Number.NaN))
    .filter((ratio) => !Number.isNaN(ratio));
}

export interface Verdict {
  work: string;
  bound: number;
  measured: number;
  isMet: boolean;
}

/** Every bound that was measured, and whether it is met. */
export function judge(samples: Sample[]): Verdict[] {
  return Object.entries(BOUNDS).flatMap(([work, bound]) => {
    const measured = medianOf(ratiosOf(samples, OURS, work));
    return Number.isNaN(measured) ? [] : { work, bound, measured, isMet: measured >= bound };
  });
}
