import { useSyncExternalStore } from 'react';

/** Whether the window matches a media query, such as `(min-width: 75rem)`. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    () => window.matchMedia(query).matches,
  );
}

/** Whether the window is as narrow as a telephone: as `max-sm:` in classes. */
export const useIsPhone = (): boolean => useMedia('(width < 40rem)');
