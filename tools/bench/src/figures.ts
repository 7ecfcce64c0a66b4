import { REFERENCE } from './contestants.ts';
import type { Sample } from './runs.ts';

/** What a contestant reached at a work: medians over the rounds. */
export interface Figure {
  contestant: string;
  work: string;
  ratePerS: Spread;
  /** To the reference at the same operation, the two rates of a round by each other; REST's where RPC has none. */
  ratio: Spread | undefined;
  serverUs: Spread;
  databaseUs: Spread | undefined;
  p50Ms: Spread | undefined;
  p99Ms: Spread | undefined;
  failures: number;
}

/** A median, and the least and the most there was. */
export interface Spread {
  median: number;
  min: number;
  max: number;
}

/** Undefined of no values. */
export function spreadOf(values: number[]): Spread | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (min === undefined || max === undefined) return undefined;
  const middle = sorted.length / 2;
  const low = sorted[Math.ceil(middle) - 1] as number;
  const high = sorted[Math.floor(middle)] as number;
  return { median: (low + high) / 2, min, max };
}

/** The work of the reference that a work is compared with: its protocol is REST, and a batch is compared get by get. */
export function comparedWith(work: string): string {
  return work === 'rpc-batch' ? 'get' : work.replace('rpc-', '');
}

/** The rates of one by those of another, round by round. */
export function ratioOf(
  samples: Sample[],
  one: { contestant: string; work: string },
  other: { contestant: string; work: string },
): Spread | undefined {
  const rates = (wanted: typeof one) =>
    new Map(
      samples
        .filter(({ contestant, work }) => contestant === wanted.contestant && work === wanted.work)
        .map(({ round, ratePerS }) => [round, ratePerS]),
    );
  const others = rates(other);
  const ratios = [...rates(one)].map(([round, rate]) => rate / (others.get(round) ?? Number.NaN));
  return spreadOf(ratios.filter((ratio) => !Number.isNaN(ratio)));
}

/** The figures of all samples, works in the order they were done, contestants in the order of their runs. */
export function figuresOf(samples: Sample[]): Figure[] {
  const groups = Map.groupBy(samples, ({ work, contestant }) => `${work} ${contestant}`);
  return [...groups.values()].map((group) => {
    const { contestant, work } = group[0] as Sample;
    const spread = (value: (sample: Sample) => number | undefined) =>
      spreadOf(group.map(value).filter((one) => one !== undefined));
    const reference = { contestant: REFERENCE, work: comparedWith(work) };
    return {
      contestant,
      work,
      ratePerS: spread(({ ratePerS }) => ratePerS) as Spread,
      ratio: ratioOf(samples, { contestant, work }, reference),
      serverUs: spread(({ serverUs }) => serverUs) as Spread,
      databaseUs: spread(({ databaseUs }) => databaseUs),
      p50Ms: spread(({ latency }) => latency?.p50Ms),
      p99Ms: spread(({ latency }) => latency?.p99Ms),
      failures: group.reduce((sum, { failures }) => sum + failures, 0),
    };
  });
}
