import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Looks again and again until something is found, that is, neither undefined nor false; an error counts as nothing found. Throws
 * once the time is over, with the last error as the cause.
 */
export async function until<Found>(
  what: string,
  find: () => Promise<Found | undefined | false>,
  { withinMs = 60_000, everyMs = 100 } = {},
): Promise<Found> {
  let cause: unknown;
  for (const deadline = performance.now() + withinMs; ; await sleep(everyMs)) {
    const found = await find().catch((error: unknown) => {
      cause = error;
      return undefined;
    });
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`${what}: not within ${withinMs / 1_000} s`, { cause });
  }
}

/** Waits, no longer than until the signal fires. */
export async function pause(timeMs: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.max(0, timeMs), undefined, { signal }).catch(() => undefined);
}
