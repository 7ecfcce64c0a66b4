import { setTimeout as sleep } from 'node:timers/promises';
import { openCaller } from '@roster/harness/caller';

/** What good callers saw. */
export interface Seen {
  /** Milliseconds from when each request was due to its answer, whatever it was. */
  tookMs: number[];
  /** Each answer that was no success, in words, and how often. */
  failures: Map<string, number>;
}

export interface GoodCallers {
  /** What they have seen since this was last asked. */
  take(): Seen;
  stop(): Promise<void>;
}

interface GoodCallersOptions {
  port: number;
  /** One for each caller. */
  keys: readonly string[];
  /** The records they read. */
  agentIds: readonly string[];
}

/** Five requests a second of each, half of what a key may ask. */
const PACE_MS = 200;

function requestOf(n: number, agentIds: readonly string[]) {
  if (n % 4 === 0) {
    const body = {
      firstName: 'Inês',
      lastName: `Costa ${n}`,
      email: `ines.${crypto.randomUUID()}@good.example`,
    };
    return { method: 'POST', path: '/agents', body };
  }
  if (n % 4 === 1)
    return { method: 'GET', path: `/agents?limit=50&sort=${n % 8 === 1 ? 'lastName' : '-createdAt'}` };
  return { method: 'GET', path: `/agents/${agentIds[(n * 7) % agentIds.length]}` };
}

const emptySeen = (): Seen => ({ tookMs: [], failures: new Map() });

/** Starts callers that each read, list and create at a steady pace; every other one opens a connection for each request. */
export function startGoodCallers({ port, keys, agentIds }: GoodCallersOptions): GoodCallers {
  const stopping = new AbortController();
  let seen = emptySeen();
  const startMs = performance.now();
  const call = async (key: string, index: number) => {
    const caller = openCaller({ port, key });
    for (let n = 0; ; n += 1) {
      const dueMs = startMs + (n + index / keys.length) * PACE_MS;
      await sleep(Math.max(0, dueMs - performance.now()));
      if (stopping.signal.aborted) break;
      const answer = await caller.send(requestOf(n, agentIds)).catch((error: Error) => error);
      seen.tookMs.push(performance.now() - dueMs);
      const failure =
        answer instanceof Error ? answer.message : answer.status < 300 ? undefined : `${answer.status}`;
      if (failure !== undefined) seen.failures.set(failure, (seen.failures.get(failure) ?? 0) + 1);
      if (index % 2 === 1) caller.close();
    }
    caller.close();
  };
  const running = Promise.all(keys.map(call));
  return {
    take: () => {
      const taken = seen;
      seen = emptySeen();
      return taken;
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
