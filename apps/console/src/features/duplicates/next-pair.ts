import type { DuplicatePair } from '../../resources/record.ts';

export type PairIds = readonly [string, string];

export function idsOf({ records: [first, second] }: Pick<DuplicatePair, 'records'>): PairIds {
  return [first?.id ?? '', second?.id ?? ''];
}

export function isPairOf(pair: Pick<DuplicatePair, 'records'>, ids: PairIds): boolean {
  return idsOf(pair).toSorted().join() === ids.toSorted().join();
}

/**
 * The pair to go on with after one: the next of the list; of the last one the first of those before it.
 *
 * @param gone the record that is no more, whose other pairs are none any more
 */
export function findNextPair(
  pairs: readonly DuplicatePair[],
  current: PairIds,
  gone?: string,
): DuplicatePair | undefined {
  const at = pairs.findIndex((pair) => isPairOf(pair, current));
  const isLeft = (pair: DuplicatePair) =>
    !isPairOf(pair, current) && (gone === undefined || !idsOf(pair).includes(gone));
  return pairs.slice(at + 1).find(isLeft) ?? pairs.find(isLeft);
}
