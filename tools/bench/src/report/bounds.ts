import { comparedWith } from '../../../harness/src/directory/operations.ts';
import { type Spread, spreadOf } from '../../../harness/src/statistics.ts';
import { OURS, REFERENCE } from '../contestants.ts';
import type { Memory } from '../runs.ts';
import { ratioOf } from './figures.ts';
import type { Sample } from './sample.ts';

/** What Roster claims, and whether it was so. */
export interface Verdict {
  claim: string;
  bound: string;
  measured: string;
  isMet: boolean;
}

/** At least this many times the throughput of the reference. */
const throughput: Record<string, number> = {
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

/** At least this many times the throughput of others, at the work `get`. */
const others: Record<string, number> = {
  stock: 4,
  'fastify-kysely': 1.9,
};

interface CpuBound {
  work: string;
  of: 'serverUs' | 'databaseUs';
  /** On a machine on which the reference needs so much. */
  maxUs: number;
  referenceUs: number;
}

/**
 * CPU of one request, on the machine the bounds were set on: 2 cores, PostgreSQL 15 on a Unix socket. Here it is the share of what the
 * reference needs in the same run, because machines differ.
 */
const cpu: CpuBound[] = [
  { work: 'get', of: 'serverUs', maxUs: 75, referenceUs: 130 },
  { work: 'list', of: 'serverUs', maxUs: 170, referenceUs: 1_134 },
  { work: 'list', of: 'databaseUs', maxUs: 170, referenceUs: 427 },
  { work: 'create', of: 'databaseUs', maxUs: 400, referenceUs: 848 },
];

/** Requests after which the memory counts. */
export const MEMORY_REQUESTS = 500_000;
const MEMORY_MAX_BYTES = 150e6;

const fixed = (value: number) => value.toFixed(2);
const whole = (value: number) => Math.round(value).toLocaleString('en-US');

function throughputVerdict(
  samples: Sample[],
  bound: { work: string; against: string; min: number },
): Verdict[] {
  const { work, against, min } = bound;
  const ratio = ratioOf(
    samples,
    { contestant: OURS, work },
    { contestant: against, work: comparedWith(work) },
  );
  if (ratio === undefined) return [];
  const isMet = ratio.median >= min;
  return [
    { claim: `${work}: throughput to ${against}`, bound: `≥ ${min}`, measured: fixed(ratio.median), isMet },
  ];
}

function valuesOf(
  samples: Sample[],
  side: { contestant: string; work: string },
  value: (one: Sample) => number | undefined,
) {
  const mine = samples.filter(({ contestant, work }) => contestant === side.contestant && work === side.work);
  return spreadOf(mine.map(value).filter((one) => one !== undefined));
}

function cpuVerdict(samples: Sample[], { work, of, maxUs, referenceUs }: CpuBound): Verdict[] {
  const side = (contestant: string) => ({ contestant, work });
  const value = (sample: Sample) => sample[of];
  const share = ratioOf(samples, side(OURS), side(REFERENCE), value);
  const [mine, theirs] = [valuesOf(samples, side(OURS), value), valuesOf(samples, side(REFERENCE), value)];
  if (share === undefined || mine === undefined || theirs === undefined) return [];
  const max = maxUs / referenceUs;
  return [
    {
      claim: `${work}: CPU of ${of === 'serverUs' ? 'the server' : 'PostgreSQL'} to ${REFERENCE}`,
      bound: `≤ ${fixed(max)} (${maxUs} of ${whole(referenceUs)} µs)`,
      measured: `${fixed(share.median)} (${whole(mine.median)} of ${whole(theirs.median)} µs)`,
      isMet: share.median <= max,
    },
  ];
}

function latencyVerdict(samples: Sample[], work: string): Verdict[] {
  const p99 = ({ latency }: Sample) => latency?.p99Ms;
  const reference = { contestant: REFERENCE, work: comparedWith(work) };
  const ratio = ratioOf(samples, { contestant: OURS, work }, reference, p99);
  const of = (spread: Spread | undefined) => (spread === undefined ? '–' : fixed(spread.median));
  const [mine, theirs] = [
    valuesOf(samples, { contestant: OURS, work }, p99),
    valuesOf(samples, reference, p99),
  ];
  if (ratio === undefined) return [];
  return [
    {
      claim: `${work}: p99 to ${REFERENCE}, both at 60 % of its peak`,
      bound: '≤ 1',
      measured: `${fixed(ratio.median)} (${of(mine)} of ${of(theirs)} ms)`,
      isMet: ratio.median <= 1,
    },
  ];
}

function memoryVerdict(memory: Memory | undefined): Verdict[] {
  if (memory === undefined || memory.requests < MEMORY_REQUESTS) return [];
  return [
    {
      claim: `memory after ${whole(MEMORY_REQUESTS)} requests`,
      bound: `≤ ${whole(MEMORY_MAX_BYTES / 1e6)} MB`,
      measured: `${whole(memory.bytes / 1e6)} MB`,
      isMet: memory.bytes <= MEMORY_MAX_BYTES,
    },
  ];
}

/** Every bound that was measured, and whether it is met. */
export function judge(samples: Sample[], memory: Map<string, Memory> = new Map()): Verdict[] {
  const works = Object.entries(throughput);
  return [
    ...works.flatMap(([work, min]) => throughputVerdict(samples, { work, against: REFERENCE, min })),
    ...Object.entries(others).flatMap(([against, min]) =>
      throughputVerdict(samples, { work: 'get', against, min }),
    ),
    ...cpu.flatMap((bound) => cpuVerdict(samples, bound)),
    ...works.flatMap(([work]) => latencyVerdict(samples, work)),
    ...memoryVerdict(memory.get(OURS)),
  ];
}
