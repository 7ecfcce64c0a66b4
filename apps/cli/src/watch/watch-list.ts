import { setTimeout } from 'node:timers/promises';
import type { Row } from '../columns.ts';
import { usageError } from '../errors/errors.ts';

/** Yields immediately, and then whenever a list may have changed. */
export type Wakeups = AsyncIterable<unknown>;

const SECONDS_MIN = 0.1;
const SECONDS_MAX = 86_400;

/** Parses a number of seconds. Throws a usage error if it is not one, or outside 0.1 to 86,400. */
export function secondsOf(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== '' && seconds >= SECONDS_MIN && seconds <= SECONDS_MAX) return seconds;
  throw usageError(`--interval takes seconds, from ${SECONDS_MIN} to ${SECONDS_MAX}, not "${text}"`);
}

/** Wakes up immediately and then at an interval. Throws when the signal is aborted. */
export async function* everySeconds(seconds: number, signal: AbortSignal): Wakeups {
  while (true) {
    yield undefined;
    await setTimeout(seconds * 1_000, undefined, { signal });
  }
}

/** The difference between two states of a list. */
export interface Changes {
  /** New and changed records. */
  changed: Row[];
  /** The ids of records that are no longer in the list. */
  removed: string[];
}

/** Returns a function that compares each list with the previous one; in the first list every record is new. */
export function changeTracker(): (rows: readonly Row[]) => Changes {
  let before = new Map<string, string>();
  return (rows) => {
    const now = new Map(rows.map((row) => [String(row.id), JSON.stringify(row)]));
    const changed = rows.filter(({ id }) => now.get(String(id)) !== before.get(String(id)));
    const removed = [...before.keys()].filter((id) => !now.has(id));
    before = now;
    return { changed, removed };
  };
}

/** Error codes after which watching continues. */
const transientCodes = new Set<unknown>(['network', 'unavailable', 'overloaded', 'timeout', 'rate_limited']);

/** Whether an error is transient, so that a retry may succeed. */
export function isTransient(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && transientCodes.has(error.code);
}

/** Delay before a failed read is retried. */
const RETRY_DELAY_MS = 1_000;

interface WatchOptions {
  wakeups: Wakeups;
  /** Reads the list. */
  read: () => Promise<readonly Row[]>;
  /** Displays the list after each read. */
  show: (rows: readonly Row[]) => void;
  /** Reports a failed read, which will be retried. */
  fail: (message: string) => void;
  signal: AbortSignal;
}

/** Reads the list, retrying transient errors. Throws any other error. */
async function readWithRetry({ read, fail, signal }: WatchOptions): Promise<readonly Row[]> {
  while (true) {
    try {
      return await read();
    } catch (error) {
      if (!isTransient(error)) throw error;
      fail(error.message);
      await setTimeout(RETRY_DELAY_MS, undefined, { signal });
    }
  }
}

/** Reads and displays a list at every wake-up, until there are no more. Throws errors that are not transient. */
export async function watchList(options: WatchOptions): Promise<void> {
  for await (const _ of options.wakeups) options.show(await readWithRetry(options));
}
