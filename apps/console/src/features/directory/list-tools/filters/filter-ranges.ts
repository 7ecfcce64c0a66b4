import { contracts, type ResourceName } from '../../../../api/contract/contracts.ts';
import type { FilterContract } from '../../../../api/contract/types.ts';
import { listValues, type SearchParams } from '../../../../ui/browser/search-params.ts';
import { daysFromNow, durationOfDays } from '../../../fields/durations.ts';

/** The filters of a list by the beginning and the end of a span of time: `createdSince` and `createdBefore`, or one of them. */
export interface FilterRange {
  stem: string;
  /** Whether it can be in the future: days can, times are those of what has happened. */
  isOpenEnded: boolean;
  since?: FilterContract;
  before?: FilterContract;
}

export function findRange(resource: ResourceName, name: string): FilterRange | undefined {
  const [, stem] = /^(.*)(?:Since|Before)$/.exec(name) ?? [];
  if (stem === undefined) return undefined;
  const { filters } = contracts[resource];
  const since = filters.find((filter) => filter.name === `${stem}Since`);
  const before = filters.find((filter) => filter.name === `${stem}Before`);
  const isOpenEnded = [since, before].some((filter) => filter?.kind === 'date');
  return { stem, isOpenEnded, ...(since && { since }), ...(before && { before }) };
}

export interface Ends {
  since?: string | undefined;
  before?: string | undefined;
}

export const hasEnds = ({ since, before }: Ends): boolean => since !== undefined || before !== undefined;

export function endsOf({ since, before }: FilterRange, search: SearchParams): Ends {
  const value = (filter: FilterContract | undefined) => filter && listValues(search, filter.name)[0];
  return { since: value(since), before: value(before) };
}

export function paramsOf({ since, before }: FilterRange, ends: Ends): SearchParams {
  return { ...(since && { [since.name]: ends.since }), ...(before && { [before.name]: ends.before }) };
}

export interface Window {
  direction: 'next' | 'last';
  days: number;
}

/**
 * The ends of a window, in durations. Today is one of its days, and so is the last one: the end of a filter by days is the day after it.
 */
export function windowEnds({ isOpenEnded }: FilterRange, { direction, days }: Window): Ends {
  if (direction === 'next') return { since: durationOfDays(0), before: durationOfDays(days + 1) };
  return { since: durationOfDays(-days), ...(isOpenEnded && { before: durationOfDays(1) }) };
}

export function windowOf(range: FilterRange, ends: Ends): Window | undefined {
  const [first, last] = [daysFromNow(ends.since), daysFromNow(ends.before)];
  const found: Window =
    first === 0 ? { direction: 'next', days: (last ?? 0) - 1 } : { direction: 'last', days: -(first ?? 0) };
  const { since, before } = windowEnds(range, found);
  return found.days > 0 && since === ends.since && before === ends.before ? found : undefined;
}
