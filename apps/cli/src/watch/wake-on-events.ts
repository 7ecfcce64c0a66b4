import { setTimeout } from 'node:timers/promises';
import type { EventType, RosterClient } from '@roster/client';
import { hasErrorCode } from '../errors/errors.ts';
import { resolveStart } from './follow-events.ts';
import { everySeconds, isTransient, type Wakeups } from './watch-list.ts';

/** Delay after a change, so that changes that arrive together cause one wake-up. */
const SETTLE_MS = 100;
/** Minimum time between two wake-ups, however many events arrive. */
const REST_MS = 500;
/** Polling interval for a key that may not read events, in seconds. */
const POLL_EVERY_S = 2;

interface WakeOptions {
  client: RosterClient;
  /** The types of events that may change the list. */
  types: EventType[];
  signal: AbortSignal;
}

/** The cursor of the end of the log; undefined if the service is unavailable. */
async function endOfLog(options: WakeOptions): Promise<string | undefined> {
  try {
    return await resolveStart({ types: options.types }, options);
  } catch (error) {
    if (isTransient(error)) return undefined;
    throw error;
  }
}

/** Wakes up immediately, after every event since then, and when the connection is lost. */
async function* wakeups(options: WakeOptions): Wakeups {
  const { client, types, signal } = options;
  let after = await endOfLog(options);
  while (after === undefined) {
    yield undefined;
    after = await endOfLog(options);
  }
  let isDue = true;
  let failure: unknown;
  let wake: () => void = () => undefined;
  const schedule = () => {
    isDue = true;
    wake();
  };
  const end = new AbortController();
  const following = async () => {
    const followOptions = { signal: AbortSignal.any([signal, end.signal]), onInterruption: schedule };
    for await (const _ of client.events.follow({ after, types }, followOptions)) schedule();
  };
  following().catch((error: unknown) => {
    failure = error;
    schedule();
  });
  try {
    while (true) {
      if (!isDue) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        await setTimeout(SETTLE_MS, undefined, { signal });
      }
      if (failure !== undefined) throw failure;
      isDue = false;
      yield undefined;
      await setTimeout(REST_MS, undefined, { signal });
    }
  } finally {
    end.abort();
  }
}

/**
 * Wakes up immediately and after events of these types; polls every 2 seconds instead if the key may not read events.
 * Throws when the signal is aborted, and errors that are not transient.
 */
export async function* wakeOnEvents(options: WakeOptions): Wakeups {
  try {
    yield* wakeups(options);
  } catch (error) {
    if (!hasErrorCode(error, 'insufficient_scope')) throw error;
    yield* everySeconds(POLL_EVERY_S, options.signal);
  }
}
