import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryClient } from '../../../api/client.ts';
import { keep } from '../../../ui/browser/storage.ts';

/** The browser tells its other tabs when this is set; nothing of it stays. */
const CHANGED = 'roster.views.changed';

const viewsKey = { queryKey: ['views'] };

/** Reads the saved views again, here and in the other tabs of this browser, because one was made, changed or deleted. */
export function viewsChanged(): Promise<void> {
  keep(CHANGED, true);
  keep(CHANGED, undefined);
  return queryClient.invalidateQueries(viewsKey);
}

export function useOtherTabsViews(): void {
  const client = useQueryClient();
  useEffect(() => {
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (key === CHANGED && newValue !== null) void client.invalidateQueries(viewsKey);
    };
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, [client]);
}
