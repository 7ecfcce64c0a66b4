import { createStore, useStore } from '../page/store.ts';

/**
 * Whether the service can be reached: `reconnecting` if the last attempt failed (the client repeats it), `offline` if the
 * browser itself has no network.
 */
export type Connection = 'live' | 'reconnecting' | 'offline';

/** The statuses of a proxy whose service is away, and of a service that starts or stops. */
const AWAY = new Set([502, 503, 504]);

const isReached = createStore(true);
const isOnline = createStore(navigator.onLine);

window.addEventListener('online', () => {
  isOnline.set(true);
  // The attempts that failed say nothing any more; the next one says whether the service is there.
  isReached.set(true);
});
window.addEventListener('offline', () => isOnline.set(false));

/** The `fetch` of all calls, which keeps whether the service was reached. A call that the page itself gave up says nothing. */
export const observedFetch: typeof fetch = async (request, init) => {
  try {
    const response = await fetch(request, init);
    isReached.set(!AWAY.has(response.status));
    return response;
  } catch (error) {
    if (!init?.signal?.aborted) isReached.set(false);
    throw error;
  }
};

/** Called if the stream of events was interrupted. */
export const markInterrupted = () => isReached.set(false);

/** Called if the stream of events is connected, in whichever tab it is. */
export const markReached = () => isReached.set(true);

/** Whether the service can be reached now. */
export function useConnection(): Connection {
  const reached = useStore(isReached);
  if (!useStore(isOnline)) return 'offline';
  return reached ? 'live' : 'reconnecting';
}
