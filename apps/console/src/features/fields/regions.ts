import { queryOptions, useQuery } from '@tanstack/react-query';
import { loadPart } from '../../ui/browser/lazy-chunks.ts';

export interface Region {
  code: string;
  name: string;
}

const regionsQuery = queryOptions({
  queryKey: ['regions'],
  queryFn: async () => {
    const { regionsOf } = await loadPart(() => import('@roster/contract/regions'));
    return { regionsOf };
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

/** The regions of a country by name; none until they are loaded, of no country, and of one without regions. */
export function useRegions(country: string): readonly Region[] {
  const { data } = useQuery({ ...regionsQuery, enabled: country !== '' });
  return data?.regionsOf(country) ?? [];
}
