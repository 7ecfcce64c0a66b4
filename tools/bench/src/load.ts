import type { EventEmitter } from 'node:events';
import autocannon from 'autocannon';
import type { Asked } from '../../harness/src/caller.ts';
import { KEY } from '../../harness/src/server.ts';
import type { Running } from './contestants.ts';

/** A stream of requests for each connection. */
export type Streams = (() => Asked)[];

const TICK_MS = 10;

/** The request as autocannon takes it. */
function prepare({ method, path, headers, body }: Asked): autocannon.Request {
  const hasBody = body !== undefined;
  return {
    method: method as 'GET',
    path,
    headers: {
      Authorization: `Bearer ${KEY}`,
      ...headers,
      ...(hasBody && { 'Content-Type': 'application/json' }),
    },
    ...(hasBody && { body: JSON.stringify(body) }),
  };
}

/**
 * Asks a contestant by new keep-alive connections, each of which asks again as soon as it is answered: for so many responses, all of which
 * are waited for, so that the streams go on where they were. Failures are answers other than 2xx, and lost or silent connections.
 */
export async function load(server: Running, streams: Streams, amount: number) {
  const left = [...streams];
  const startMs = performance.now();
  let endMs = startMs;
  const result = await autocannon({
    url: `http://127.0.0.1:${server.port}`,
    connections: streams.length,
    amount: Math.max(amount, streams.length),
    sampleInt: TICK_MS,
    setupClient: (client) => {
      const next = left.shift() as () => Asked;
      client.setRequests([{ setupRequest: (defaults) => ({ ...defaults, ...prepare(next()) }) }]);
      (client as EventEmitter).on('done', () => {
        endMs = performance.now();
      });
    },
  });
  const { '2xx': responses, non2xx, errors, latency, statusCodeStats = {} } = result;
  const rejected = Object.entries(statusCodeStats).filter(([status]) => !status.startsWith('2'));
  const words = [...rejected.map(([status, { count }]) => `${status} × ${count}`), `${errors} lost`];
  server.served += responses;
  return {
    responses,
    seconds: (endMs - startMs) / 1_000,
    failures: non2xx + errors,
    /** In words; undefined if nothing failed. */
    failed: non2xx + errors === 0 ? undefined : words.join(', '),
    p50Ms: latency.p50,
    p99Ms: latency.p99,
  };
}

/** Asks for so long. Answers how many requests were answered, over how many seconds, and how many a second at the end. Throws if one fails. */
export async function loadFor(server: Running, streams: Streams, seconds: number) {
  const done = { responses: 0, seconds: 0, ratePerS: 0 };
  let amount = streams.length * 4;
  while (done.seconds < seconds) {
    const { failed, responses, seconds: lasted } = await load(server, streams, amount);
    if (failed !== undefined) throw new Error(`${server.name}: ${failed}`);
    done.responses += responses;
    done.seconds += lasted;
    done.ratePerS = responses / lasted;
    amount = Math.round(done.ratePerS * Math.min(1, Math.max(0.2, seconds - done.seconds)));
  }
  return done;
}
