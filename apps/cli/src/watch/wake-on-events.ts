import { setTimeout } from 'node:timers/promises';
import type { EventType, RosterClient } from '@roster/client';
import { everySeconds, isPassing, type Wakeups } from './watch-list.ts';

/** Changes that come together are seen together. */
const SETTLE_MS = 100;
/** However busy the log is, two looks are this far apart. */
const REST_MS = 500;
/** How often a key that may not follow the events looks instead. */
const LOOK_EVERY_S = 2;

interface Watching {
  client: RosterClient;
  /** Which events may change the list. */
  types: EventType[];
  signal: AbortSignal;
}

const codeOf = (error: unknown) => (error as { code?: unknown }).code;

/** Where the log ends; undefined where the service is away. */
async function endOfLog({ client, types, signal }: Watching): Promise<string | undefined> {
  try {
    return (await client.events.list.query({ after: 'latest', types }, { signal })).nextAfter;
  } catch (error) {
    if (isPassing(error)) return undefined;
    throw error;
  }
}

/** Wakes up at once, then after every change that was logged since, and when the connection is lost. */
async function* wakingByEvents(watching: Watching): Wakeups {
  const { client, types, signal } = watching;
  let after = await endOfLog(watching);
  while (after === undefined) {
    yield undefined;
    after = await endOfLog(watching);
  }
  let isDue = true;
  let failure: unknown;
  let wake: () => void = () => undefined;
  const ring = () => {
    isDue = true;
    wake();
  };
  const end = new AbortController();
  const following = async () => {
    const options = { signal: AbortSignal.any([signal, end.signal]), onInterruption: ring };
    for await (const _ of client.events.follow({ after, types }, options)) ring();
  };
  following().catch((error: unknown) => {
    failure = error;
    ring();
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
 * Wakes up at once and whenever events of these types say that something has changed; a key that may not read events
 * looks every 2 seconds instead. Throws when the signal fires, and what a service refuses for good.
 */
export async function* atChanges(watching: Watching): Wakeups {
  try {
    yield* wakingByEvents(watching);
  } catch (error) {
    if (codeOf(error) !== 'insufficient_scope') throw error;
    yield* everySeconds(LOOK_EVERY_S, watching.signal);
  }
}
