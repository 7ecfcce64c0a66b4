import type { BulkPreview } from '@roster/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type BulkCall, type BulkDraft, changeInput, isReady, previewBulk } from './bulk-change.ts';

/** The pause after the last letter before what it would change is asked for, in milliseconds. */
const DELAY_MS = 300;

export interface Previewed {
  preview: BulkPreview;
  /** The change that it is of. */
  draft: BulkDraft;
}

/** Reads what a change would do each time that it is another one; that of the change before stays until then. */
export function usePreview(bulk: BulkCall) {
  const { resource, draft } = bulk;
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery({
    queryKey: ['bulk preview', resource, changeInput(bulk)],
    queryFn: async ({ signal }): Promise<Previewed> => {
      await new Promise((resolve) => setTimeout(resolve, DELAY_MS));
      signal.throwIfAborted();
      return { draft, preview: await previewBulk(bulk, signal) };
    },
    enabled: isReady(draft),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return {
    shown: isReady(draft) ? data : undefined,
    isCurrent: isReady(draft) && data !== undefined && !isPlaceholderData && !isFetching,
    error,
    refetch,
  };
}
