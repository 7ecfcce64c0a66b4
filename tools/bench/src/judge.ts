import { medianOf } from '../../harness/src/statistics.ts';
import { OURS, REFERENCE } from './contestants.ts';
import type { Memory, Sample } from './turns.ts';
import { comparedWith, works } from './works.ts';

/** What is compared of a turn. */
export type Figure = 'ratePerS' | 'serverUs' | 'databaseUs' | 'p50Ms' | 'p99Ms';

const FIGURES = {
  throughput: 'ratePerS',
  'CPU of the server': 'serverUs',
  'CPU of PostgreSQL': 'databaseUs',
  p99: 'p99Ms',
} as const;

type Bound = [work: string, claim: keyof typeof FIGURES, limit: number, against?: string];

/**
 * The least throughput of Roster, and the most CPU and latency, as shares of what the reference, or another contestant, has in the same
 * turn. Those of CPU were set on 2 cores with PostgreSQL 15.
 */
const BOUNDS: Bound[] = [
  ['get', 'throughput', 1.9],
  ['list', 'throughput', 5],
  ['search', 'throughput', 1.5],
  ['create', 'throughput', 2.3],
  ['patch', 'throughput', 2],
  ['rpc-get', 'throughput', 2],
  ['rpc-list', 'throughput', 5],
  ['rpc-create', 'throughput', 2.3],
  ['rpc-batch', 'throughput', 3],
  ['get', 'throughput', 4, 'stock'],
  ['get', 'throughput', 1.9, 'fastify-kysely'],
  ['get', 'CPU of the server', 75 / 130],
  ['list', 'CPU of the server', 170 / 1_134],
  ['list', 'CPU of PostgreSQL', 170 / 427],
  ['create', 'CPU of PostgreSQL', 400 / 848],
  ...works.map(({ name }): Bound => [name, 'p99', 1]),
];

/** Requests after which the memory counts. */
export const MEMORY_REQUESTS = 500_000;
const MEMORY_MAX_MB = 150;

/** What a contestant has of a figure at a work by what another one has, the reference unless given, turn by turn. */
export function ratiosOf(
  samples: Sample[],
  contestant: string,
  work: string,
  figure: Figure = 'ratePerS',
  against = REFERENCE,
): number[] {
  const reference = comparedWith(work);
  const others = samples.filter((sample) => sample.contestant === against && sample.work === reference);
  const values = new Map(others.map((sample) => [sample.turn, sample[figure]]));
  return samples
    .filter((sample) => sample.contestant === contestant && sample.work === work)
    .map((sample) => sample[figure] / (values.get(sample.turn) ?? Number.NaN))
    .filter((ratio) => !Number.isNaN(ratio));
}

/** Every bound that was measured, and whether it is met. */
export function judge(samples: Sample[], memory: Memory = []) {
  const verdicts = BOUNDS.flatMap(([work, claim, limit, against = REFERENCE]) => {
    const ratio = medianOf(ratiosOf(samples, OURS, work, FIGURES[claim], against));
    if (Number.isNaN(ratio)) return [];
    const isLeast = claim === 'throughput';
    return {
      claim: `${work}: ${claim} to ${against}`,
      bound: `${isLeast ? '≥' : '≤'} ${Number(limit.toFixed(2))}`,
      measured: ratio.toFixed(2),
      isMet: isLeast ? ratio >= limit : ratio <= limit,
    };
  });
  const { megabytes = 0, requests = 0 } = memory.find(({ name }) => name === OURS) ?? {};
  if (requests < MEMORY_REQUESTS) return verdicts;
  const ofMemory = {
    claim: `memory after ${MEMORY_REQUESTS.toLocaleString('en-US')} requests`,
    bound: `≤ ${MEMORY_MAX_MB} MB`,
    measured: `${Math.round(megabytes)} MB`,
    isMet: megabytes <= MEMORY_MAX_MB,
  };
  return [...verdicts, ofMemory];
}
