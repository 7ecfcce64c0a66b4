import { medianOf } from '../../harness/src/statistics.ts';
import { OURS, REFERENCE } from './contestants.ts';
import type { Memory, Sample } from './turns.ts';
import { comparedWith } from './works.ts';

/** A claim of Roster, and whether it was so. */
export interface Verdict {
  claim: string;
  bound: string;
  measured: string;
  isMet: boolean;
}

/** At least so many times the throughput of the reference. */
const THROUGHPUT: Record<string, number> = {
  get: 1.9,
  list: 5,
  search: 1.5,
  create: 2.3,
  patch: 2,
  'rpc-get': 2,
  'rpc-list': 5,
  'rpc-create': 2.3,
  'rpc-batch': 3,
};

/** At least so many times the throughput of others, at the work `get`. */
const OTHERS: Record<string, number> = { stock: 4, 'fastify-kysely': 1.9 };

/**
 * At most so much CPU of an operation, as a share of what the reference needs in the same turn. Set on 2 cores with PostgreSQL 15: 75 of
 * 130 µs, 170 of 1,134, 170 of 427, 400 of 848.
 */
const CPU = [
  ['get', 'serverUs', 75 / 130],
  ['list', 'serverUs', 170 / 1_134],
  ['list', 'databaseUs', 170 / 427],
  ['create', 'databaseUs', 400 / 848],
] as const;

/** Requests after which the memory counts. */
export const MEMORY_REQUESTS = 500_000;
const MEMORY_MAX_BYTES = 150e6;

/** One contestant at one work. */
interface Side {
  contestant: string;
  work: string;
}

type Value = (sample: Sample) => number | undefined;

/** A value of one side by that of another, turn by turn; the rates unless given. */
export function ratiosOf(
  samples: Sample[],
  one: Side,
  other: Side,
  value: Value = (sample) => sample.ratePerS,
): number[] {
  const values = ({ contestant, work }: Side) =>
    samples.filter((sample) => sample.contestant === contestant && sample.work === work);
  const others = new Map(values(other).map((sample) => [sample.turn, value(sample)]));
  const ratios = values(one).map(
    (sample) => (value(sample) ?? Number.NaN) / (others.get(sample.turn) ?? Number.NaN),
  );
  return ratios.filter((ratio) => !Number.isNaN(ratio));
}

/** Every bound that was measured, and whether it is met. */
export function judge(samples: Sample[], memory: Map<string, Memory> = new Map()): Verdict[] {
  const compare = (
    claim: string,
    { work, against, value }: { work: string; against: string; value?: Value },
    { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY },
  ): Verdict[] => {
    const reference = { contestant: against, work: comparedWith(work) };
    const ratios = ratiosOf(samples, { contestant: OURS, work }, reference, value);
    if (ratios.length === 0) return [];
    const ratio = medianOf(ratios);
    const bound = max === Number.POSITIVE_INFINITY ? `≥ ${min}` : `≤ ${Number(max.toFixed(2))}`;
    return [
      {
        claim: `${work}: ${claim} to ${against}`,
        bound,
        measured: ratio.toFixed(2),
        isMet: ratio >= min && ratio <= max,
      },
    ];
  };
  const { bytes = 0, requests = 0 } = memory.get(OURS) ?? {};
  const ofMemory = {
    claim: `memory after ${MEMORY_REQUESTS.toLocaleString('en-US')} requests`,
    bound: `≤ ${MEMORY_MAX_BYTES / 1e6} MB`,
    measured: `${Math.round(bytes / 1e6)} MB`,
    isMet: bytes <= MEMORY_MAX_BYTES,
  };
  const works = Object.keys(THROUGHPUT);
  return [
    ...works.flatMap((work) =>
      compare('throughput', { work, against: REFERENCE }, { min: THROUGHPUT[work] }),
    ),
    ...Object.entries(OTHERS).flatMap(([against, min]) =>
      compare('throughput', { work: 'get', against }, { min }),
    ),
    ...CPU.flatMap(([work, of, max]) => {
      const claim = of === 'serverUs' ? 'CPU of the server' : 'CPU of PostgreSQL';
      return compare(claim, { work, against: REFERENCE, value: (sample) => sample[of] }, { max });
    }),
    ...works.flatMap((work) =>
      compare('p99', { work, against: REFERENCE, value: (sample) => sample.p99Ms }, { max: 1 }),
    ),
    ...(requests >= MEMORY_REQUESTS ? [ofMemory] : []),
  ];
}
