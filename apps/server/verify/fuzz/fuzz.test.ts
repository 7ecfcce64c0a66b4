import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import fc, { type Arbitrary } from 'fast-check';
import { expect, it } from 'vitest';
import { type Unfinished, unfinished, unread } from '../../test/support/fuzz/held.ts';
import { malformed } from '../../test/support/fuzz/malformed.ts';
import type { FuzzRequest } from '../../test/support/fuzz/request.ts';
import { anyRequest } from '../../test/support/fuzz/requests.ts';
import { type FuzzedService, startFuzzedService } from '../../test/support/fuzz/service.ts';
import { judge } from '../../test/support/fuzz/verdict.ts';

/** `npm exec -- pnpm --filter @roster/server run fuzz` sends more, and others each time; a seed that found something is given again to see it again. */
const { FUZZ_REQUESTS, FUZZ_SEED } = process.env;
const REQUESTS = Number(FUZZ_REQUESTS ?? 3_000);
const SEED = Number(FUZZ_SEED ?? (FUZZ_REQUESTS === undefined ? 20_260_131 : Date.now() % 2 ** 31));
const MEGABYTE = 1_024 * 1_024;
/** Statements are kept for as many shapes of lists as there have been, up to a bound; a leak of a request shows beyond it. */
const INCREASE_MAX = 16 * MEGABYTE;

interface FuzzOptions {
  numRuns: number;
  seed: number;
  /** The number of answers by their status, which grows. */
  statuses: Map<number, number>;
}

/** Sends requests until one is answered as none may be; that one is then made as small as it can be. */
async function fuzz(service: FuzzedService, { numRuns, seed, statuses }: FuzzOptions): Promise<void> {
  const step = fc.oneof(
    { weight: 14, arbitrary: anyRequest.map((request) => ({ request })) },
    { weight: 1, arbitrary: malformed.map((bytes) => ({ bytes })) },
  );
  const isServed = fc.asyncProperty(step, async (one) => {
    const isHead = 'request' in one && one.request.method === 'HEAD';
    const isRejected = 'request' in one && one.request.isRejected;
    const answers = 'request' in one ? [await service.send(one.request)] : await service.blurt(one.bytes);
    for (const answer of answers) {
      judge(answer, { isHead, isRejected });
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    }
    expect(service.takeOutput()).toBe('');
  });
  await fc.assert(isServed, {
    numRuns,
    seed,
    interruptAfterTimeLimit: 20 * 60_000,
    markInterruptAsFailure: true,
  });
}

it(
  `answers ${REQUESTS} requests of any kind as documented, never with 500, without a memory leak`,
  async () => {
    await using service = await startFuzzedService();
    // What is loaded when it is first asked for is no leak: the documentation's page alone is 4 MB.
    for (const target of ['/docs/', '/docs/js/scalar.js', '/openapi.json']) {
      await service.send({ method: 'GET', target, headers: [], body: undefined });
    }
    // By then most shapes of lists have occurred, whose statements are kept.
    const statuses = new Map<number, number>();
    await fuzz(service, { numRuns: Math.ceil(REQUESTS / 2), seed: SEED, statuses });
    const before = await service.memoryUsed();
    await fuzz(service, { numRuns: Math.floor(REQUESTS / 2), seed: SEED + 1, statuses });
    const increase = (await service.memoryUsed()) - before;
    const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
    const [used, added] = [before / MEGABYTE, increase / MEGABYTE].map((size) => size.toFixed(1));
    process.stdout.write(
      `${REQUESTS} requests, seed ${SEED}: ${counts.join(', ')}; memory ${used} MB and ${added} MB more\n`,
    );
    expect(increase).toBeLessThan(INCREASE_MAX);
    // Requests that fail before they reach a route test no route: each of these statuses has to occur.
    for (const status of [200, 201, 204, 207, 304, 400, 401, 404, 405, 409, 412, 413, 415, 422]) {
      expect(statuses.get(status), `answers with ${status}`).toBeGreaterThan(0);
    }
  },
  25 * 60_000,
);

/** Connections that are held at once: more than the requests that the server serves at once. */
const HELD = 250;
const SERVE_EVERY_MS = 20;

type Held = { unfinished: Unfinished } | { unread: FuzzRequest[] };

const held: Arbitrary<Held> = fc.oneof(
  { weight: 4, arbitrary: unfinished.map((one) => ({ unfinished: one })) },
  { weight: 1, arbitrary: unread.map((one) => ({ unread: one })) },
);

/** Leaves what was asked for unfinished or unread, and holds what came back against the contract. */
async function leave(service: FuzzedService, kind: Held): Promise<void> {
  if ('unread' in kind) return service.leaveUnread(kind.unread);
  const isHead = kind.unfinished.request.method === 'HEAD';
  for (const answer of await service.leaveUnfinished(kind.unfinished)) {
    // The bounds on bodies under way reject with 503 what comes beyond them.
    if (answer.status === 503) expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    else judge(answer, { isHead });
  }
}

const good: FuzzRequest = { method: 'GET', target: '/offices?limit=1', headers: [], body: undefined };

it(
  `serves other clients during and after ${HELD} connections with unfinished requests and unread responses`,
  async () => {
    await using service = await startFuzzedService();
    const rounds = Math.ceil(REQUESTS / 2_000);
    const run = async (kinds: Held[]) => {
      let isOver = false;
      let served = 0;
      const all = Promise.all(kinds.map((kind) => leave(service, kind))).finally(() => {
        isOver = true;
      });
      const serve = async () => {
        while (!isOver) {
          // The server that is fuzzed gives a request half a second to arrive, which a busy machine may exceed.
          const { status } = await service.send(good);
          expect([200, 408]).toContain(status);
          served += status === 200 ? 1 : 0;
          await sleep(SERVE_EVERY_MS);
        }
      };
      await Promise.all([all, serve()]);
      expect(served).toBeGreaterThan(0);
      expect(service.takeOutput()).toBe('');
    };
    const kinds = fc.sample(held, { numRuns: rounds * HELD, seed: SEED });
    for (let at = 0; at < kinds.length; at += HELD) await run(kinds.slice(at, at + HELD));
    expect((await service.send(good)).status).toBe(200);
  },
  25 * 60_000,
);
