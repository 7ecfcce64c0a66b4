import { setTimeout } from 'node:timers/promises';
import { usageError } from '../errors/errors.ts';
import type { Row } from '../resources.ts';

/** What says that a list may have changed: at once, and from then on whenever it gives a value. */
export type Wakeups = AsyncIterable<unknown>;

const SECONDS_MIN = 0.1;
const SECONDS_MAX = 86_400;

/** The number of seconds in an option. Throws a usage error for one that is none, or would never let the service rest. */
export function secondsOf(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== '' && seconds >= SECONDS_MIN && seconds <= SECONDS_MAX) return seconds;
  throw usageError(`--interval takes seconds, from ${SECONDS_MIN} to ${SECONDS_MAX}, and not "${text}"`);
}

/** Wakes up at once and then again and again, until the signal fires: then it throws. */
export async function* everySeconds(seconds: number, signal: AbortSignal): Wakeups {
  while (true) {
    yield undefined;
    await setTimeout(seconds * 1_000, undefined, { signal });
  }
}

/** What has become of a list since it was seen last. */
export interface Changes {
  /** New records, and those that are no longer what they were. */
  changed: Row[];
  /** The ids of those that are no longer in it. */
  gone: string[];
}

/** Compares each list it is given with the one before; of the first, everything is new. */
export function changeTracker(): (rows: readonly Row[]) => Changes {
  let before = new Map<string, string>();
  return (rows) => {
    const now = new Map(rows.map((row) => [String(row.id), JSON.stringify(row)]));
    const changed = rows.filter(({ id }) => now.get(String(id)) !== before.get(String(id)));
    const gone = [...before.keys()].filter((id) => !now.has(id));
    before = now;
    return { changed, gone };
  };
}

/** Failures that pass by themselves, during which a list goes on being watched. */
const passing = new Set<unknown>(['network', 'unavailable', 'overloaded', 'timeout', 'rate_limited']);

/** Whether what was thrown passes by itself. */
export function isPassing(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && passing.has(error.code);
}

/** How long after a failure the list is read again. */
const PAUSE_MS = 1_000;

interface Watched {
  wakeups: Wakeups;
  /** Reads the list. */
  read: () => Promise<readonly Row[]>;
  /** Shows it, after each reading. */
  show: (rows: readonly Row[]) => void;
  /** Says that reading failed, and that it will be tried again. */
  fail: (message: string) => void;
  signal: AbortSignal;
}

/** What is read, however often that takes. Throws a failure that does not pass. */
async function readAtLast({ read, fail, signal }: Watched): Promise<readonly Row[]> {
  while (true) {
    try {
      return await read();
    } catch (error) {
      if (!isPassing(error)) throw error;
      fail(error.message);
      await setTimeout(PAUSE_MS, undefined, { signal });
    }
  }
}

/** Reads a list at every wake-up and shows it. Ends when the wake-ups do; throws a failure that does not pass. */
export async function watchList(watched: Watched): Promise<void> {
  for await (const _ of watched.wakeups) watched.show(await readAtLast(watched));
}
