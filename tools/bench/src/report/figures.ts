import { comparedWith } from '../../../harness/src/directory/operations.ts';
import { type Spread, spreadOf } from '../../../harness/src/statistics.ts';
import { REFERENCE } from '../contestants.ts';
import type { Sample } from './sample.ts';

/** What a contestant reached at a work: medians over the turns. */
export interface Figure {
  contestant: string;
  work: string;
  ratePerS: Spread;
  /** To the reference at the same operation, the two rates of a turn by each other; REST's where RPC has none. */
  ratio: Spread | undefined;
  serverUs: Spread;
  databaseUs: Spread | undefined;
  p50Ms: Spread | undefined;
  p99Ms: Spread | undefined;
  failures: number;
}

/** One contestant at one work. */
export interface Side {
  contestant: string;
  work: string;
}

/** A value of one by that of another, turn by turn; the rates unless given. Undefined if no turn has both. */
export function ratioOf(
  samples: Sample[],
  one: Side,
  other: Side,
  value: (sample: Sample) => number | undefined = ({ ratePerS }) => ratePerS,
): Spread | undefined {
  const values = (side: Side) =>
    new Map(
      samples
        .filter(({ contestant, work }) => contestant === side.contestant && work === side.work)
        .map((sample) => [sample.turn, value(sample)]),
    );
  const others = values(other);
  const ratios = [...values(one)].map(
    ([turn, mine]) => (mine ?? Number.NaN) / (others.get(turn) ?? Number.NaN),
  );
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
