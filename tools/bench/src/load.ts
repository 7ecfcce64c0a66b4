import type { EventEmitter } from 'node:events';
import autocannon from 'autocannon';
import { KEY } from './contestants.ts';
import type { Request } from './works.ts';

/** What came of a load. */
export interface Load {
  answers: number;
  seconds: number;
  /** Answers other than 2xx, and lost or silent connections; in words, undefined if there are none. */
  failures: number;
  failed: string | undefined;
  p50Ms: number;
  p99Ms: number;
}

interface Target {
  port: number;
  /** One for each connection. */
  streams: (() => Request)[];
}

const TICK_MS = 10;

/** The request as autocannon takes it. */
function prepared({ method, path, headers, body }: Request): autocannon.Request {
  return {
    method,
    path,
    headers: {
      Authorization: `Bearer ${KEY}`,
      ...headers,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

/**
 * Asks a contestant by new keep-alive connections, each of which asks again as soon as it is answered: for so many answers, all of which
 * are waited for, so that the streams go on where they were.
 */
export async function load({ port, streams }: Target, amount: number): Promise<Load> {
  const left = [...streams];
  const startMs = performance.now();
  let endMs = startMs;
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections: streams.length,
    amount: Math.max(amount, streams.length),
    sampleInt: TICK_MS,
    setupClient: (client) => {
      const next = left.shift() as () => Request;
      client.setRequests([{ setupRequest: (defaults) => ({ ...defaults, ...prepared(next()) }) }]);
      (client as EventEmitter).on('done', () => {
        endMs = performance.now();
      });
    },
  });
  const { non2xx, errors, latency, statusCodeStats = {} } = result;
  const rejected = Object.entries(statusCodeStats).filter(([status]) => !status.startsWith('2'));
  const words = [...rejected.map(([status, { count }]) => `${status} × ${count}`), `${errors} lost`];
  return {
    answers: result['2xx'],
    seconds: (endMs - startMs) / 1_000,
    failures: non2xx + errors,
    failed: non2xx + errors === 0 ? undefined : words.join(', '),
    p50Ms: latency.p50,
    p99Ms: latency.p99,
  };
}

/** Asks for so long; answers how many requests a second a contestant has answered. */
export async function warmUp(
  target: Target,
  seconds: number,
): Promise<{ answers: number; ratePerS: number }> {
  let answers = 0;
  let [amount, spentS, ratePerS] = [target.streams.length * 4, 0, 0];
  while (spentS < seconds) {
    const done = await load(target, amount);
    answers += done.answers;
    spentS += done.seconds;
    ratePerS = done.answers / done.seconds;
    amount = Math.round(ratePerS * Math.min(1, Math.max(0.2, seconds - spentS)));
    if (done.answers === 0) throw new Error(`nothing is answered: ${done.failed}`);
  }
  return { answers, ratePerS };
}
