import { queryOptions } from '@tanstack/react-query';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { type Pages, usePagesOf } from '../../api/use-pages.ts';
import type { DuplicatePair } from '../../resources/record.ts';
import { callsOf } from '../../resources/record-calls.ts';
import type { SearchParams } from '../../ui/browser/search-params.ts';
import { firstValue } from '../../ui/browser/view-state.ts';
import { isPairOf, type PairIds } from './choices.ts';

const PAGE_SIZE = 50;
const PAIRS_MAX = 200;
const SCORE_MIN = 0.5;

export const pairFilters = ['minScore', 'kind', 'officeId', 'state', 'recordId'] as const;

export function pairSearch(search: SearchParams): SearchParams {
  const given = [...pairFilters, 'sort'].map((name) => [name, firstValue(search[name])] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined && value !== ''));
}

function inputOf(search: SearchParams): Record<string, unknown> {
  const { minScore, ...rest } = pairSearch(search);
  // A number that it is not is sent as it is, so that the service says what is wrong with it.
  return { ...rest, ...(minScore !== undefined && { minScore: Number(minScore) || minScore }) };
}

export function usePairs(resource: ResourceName, search: SearchParams): Pages<DuplicatePair> {
  const input = { ...inputOf(search), limit: PAGE_SIZE };
  return usePagesOf({
    queryKey: [resource, 'duplicates', input, 'pages'],
    read: (cursor, signal) => callsOf(resource).duplicates.query({ ...input, cursor }, { signal }),
  });
}

export const pairCountQuery = (resource: ResourceName, search: SearchParams) =>
  topPairsQuery(resource, 1, search);

/** The likeliest pairs, and how many there are. */
export function topPairsQuery(resource: ResourceName, limit: number, search: SearchParams = {}) {
  const { sort: _, ...filters } = inputOf(search);
  const input = { ...filters, limit, includeTotal: true };
  return queryOptions({
    queryKey: [resource, 'duplicates', input] as const,
    queryFn: ({ signal }) => callsOf(resource).duplicates.query(input, { signal }),
  });
}

/** The query of the pair of two records, decided or not; null if they are not alike. */
export function pairQuery(resource: ResourceName, ids: PairIds) {
  const [recordId, other] = ids;
  const input = { recordId, minScore: SCORE_MIN, state: 'any', limit: PAIRS_MAX };
  return queryOptions({
    queryKey: [resource, 'duplicates', input, other] as const,
    queryFn: async ({ signal }) => {
      const { items } = await callsOf(resource).duplicates.query(input, { signal });
      return items.find((pair) => isPairOf(pair, ids)) ?? null;
    },
  });
}
