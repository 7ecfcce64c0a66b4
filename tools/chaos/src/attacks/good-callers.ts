import { setTimeout as sleep } from 'node:timers/promises';
import { openCaller } from '@roster/harness/caller';

/** What good callers, and a balancer that looks whether the server is ready, see of it. */
export interface Seen {
  /** Milliseconds from when each request was due to its response, whatever it was. */
  tookMs: number[];
  /** Each response that was no success, in words, and how often. */
  failures: Map<string, number>;
  /** Checks of /readyz, and the most that failed in a row: at two a balancer sends the server nothing more. */
  checks: number;
  failedInRow: number;
}

interface Options {
  port: number;
  /** One for each caller. */
  keys: readonly string[];
  /** The records they read. */
  agentIds: readonly string[];
}

/** Five requests a second of each, half of what a key may ask. */
const PACE_MS = 200;
/** As in deploy/haproxy.cfg: `inter 500ms` is also how long a check may take. */
const CHECK_MS = 500;

function requestOf(n: number, agentIds: readonly string[]) {
  if (n % 4 === 0) {
    const email = `ines.${crypto.randomUUID()}@good.example`;
    return { method: 'POST', path: '/agents', body: { firstName: 'Inês', lastName: `Costa ${n}`, email } };
  }
  if (n % 4 === 1)
    return { method: 'GET', path: `/agents?limit=50&sort=${n % 8 === 1 ? 'lastName' : '-createdAt'}` };
  return { method: 'GET', path: `/agents/${agentIds[(n * 7) % agentIds.length]}` };
}

/** Callers that each read, list and create at a steady pace, until the signal; every other one opens a connection for each request. */
export function callWell({ port, keys, agentIds }: Options, signal: AbortSignal) {
  const seen: Seen = { tookMs: [], failures: new Map(), checks: 0, failedInRow: 0 };
  const startMs = performance.now();
  const call = async (key: string, index: number) => {
    const caller = openCaller({ port, key });
    for (let n = 0; ; n += 1) {
      const dueMs = startMs + (n + index / keys.length) * PACE_MS;
      await sleep(Math.max(0, dueMs - performance.now()));
      if (signal.aborted) break;
      const response = await caller.send(requestOf(n, agentIds)).catch((error: Error) => error);
      seen.tookMs.push(performance.now() - dueMs);
      const failure = response instanceof Error ? response.message : `${response.status}`;
      if (!/^2\d\d$/.test(failure)) seen.failures.set(failure, (seen.failures.get(failure) ?? 0) + 1);
      if (index % 2 === 1) caller.close();
    }
    caller.close();
  };
  const check = async () => {
    for (let failed = 0; !signal.aborted; await sleep(CHECK_MS)) {
      const late = AbortSignal.timeout(CHECK_MS);
      const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: late }).catch(
        () => undefined,
      );
      failed = response?.ok ? 0 : failed + 1;
      seen.checks += 1;
      seen.failedInRow = Math.max(seen.failedInRow, failed);
    }
  };
  return Promise.all([...keys.map(call), check()]).then(() => seen);
}
