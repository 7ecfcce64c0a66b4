import { queryOptions, useQuery } from '@tanstack/react-query';
import { queryClient } from '../../api/client.ts';
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

/** The regions of a country, once they are loaded. Throws `PartError`. */
export async function regionsOf(country: string): Promise<readonly Region[]> {
  return (await queryClient.ensureQueryData(regionsQuery)).regionsOf(country);
}

/** The regions of a country: undefined while they load, none of no country and of one without regions. */
export function useRegions(country: string): readonly Region[] | undefined {
  const { data, isLoading } = useQuery({ ...regionsQuery, enabled: country !== '' });
  return isLoading ? undefined : (data?.regionsOf(country) ?? []);
}
