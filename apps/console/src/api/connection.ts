import { createStore, useStore } from './store.ts';

/**
 * Whether the service can be reached: `reconnecting` if the last attempt failed (the client repeats it) or it does not respond,
 * `offline` if the browser itself has no network.
 */
export type Connection = 'live' | 'reconnecting' | 'offline';

/** The statuses of a proxy whose service is away, and of a service that starts or stops. */
const AWAY = new Set([502, 503, 504]);

/** Without a response for so long a page that is seen asks whether the service lives, in milliseconds. */
const SILENCE_MS = 4_000;
/** The time in which the service has to say that it lives, in milliseconds. */
const PING_MS = 3_000;
const LOOK_MS = 1_000;

const isReached = createStore(true);
/** False while the service accepts connections and does not respond, or does not accept them. */
const isResponding = createStore(true);
const isOnline = createStore(navigator.onLine);
let respondedAt = Date.now();
/** The lead of the service's clock over that of this device, in milliseconds. */
let aheadMs = 0;

window.addEventListener('online', () => {
  isOnline.set(true);
  // The attempts that failed say nothing any more; the next one says whether the service is there.
  isReached.set(true);
});
window.addEventListener('offline', () => isOnline.set(false));

function answered(): void {
  respondedAt = Date.now();
  isResponding.set(true);
}

/** The time by the clock of the service, to about a second, in milliseconds since 1970. */
export const serviceNow = (): number => Date.now() + aheadMs;

/** The time of the last response, which is as old as what is shown can be, in milliseconds since 1970. */
export const lastResponseAt = (): number => respondedAt;

/** The `fetch` of all calls, which keeps whether the service was reached. A call that the page itself gave up says nothing. */
export const observedFetch: typeof fetch = async (request, init) => {
  try {
    const response = await fetch(request, init);
    answered();
    aheadMs = Date.parse(response.headers.get('Date') ?? '') - respondedAt || 0;
    isReached.set(!AWAY.has(response.status));
    return response;
  } catch (error) {
    if (!init?.signal?.aborted) isReached.set(false);
    throw error;
  }
};

/** Asks whether the service lives, which it says without its database. */
async function ping(): Promise<void> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), PING_MS);
  try {
    await fetch('/healthz', { cache: 'no-store', signal: limit.signal });
    answered();
  } catch {
    isResponding.set(false);
  } finally {
    clearTimeout(timer);
  }
}

/** Notices that the service does not respond while the page is seen, also if nobody does anything. Returns a function that ends that. */
export function watchResponses(): () => void {
  let isAsking = false;
  let askedAt = 0;
  const look = async () => {
    const now = Date.now();
    if (isAsking || document.hidden || !navigator.onLine) return;
    if (now - Math.max(respondedAt, askedAt) < SILENCE_MS) return;
    isAsking = true;
    askedAt = now;
    await ping();
    isAsking = false;
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  return () => clearInterval(timer);
}

export const markInterrupted = () => isReached.set(false);

export const markReached = () => isReached.set(true);

export function useConnection(): Connection {
  const reached = useStore(isReached);
  const responses = useStore(isResponding);
  if (!useStore(isOnline)) return 'offline';
  return reached && responses ? 'live' : 'reconnecting';
}
