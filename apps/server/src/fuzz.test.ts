import process from 'node:process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { malformed } from './testing/fuzz/malformed.ts';
import { anyRequest } from './testing/fuzz/requests.ts';
import { type FuzzedService, startFuzzedService } from './testing/fuzz/service.ts';
import { judge } from './testing/fuzz/verdict.ts';

/** `npm run fuzz` sends more, and others each time; a seed that found something is given again to see it again. */
const { FUZZ_REQUESTS, FUZZ_SEED } = process.env;
const REQUESTS = Number(FUZZ_REQUESTS ?? 2_000);
const SEED = Number(FUZZ_SEED ?? (FUZZ_REQUESTS === undefined ? 20_260_131 : Date.now() % 2 ** 31));
const MEGABYTE = 1_024 * 1_024;
/** Statements are kept for as many shapes of lists as there have been, up to a bound; a leak of a request shows beyond it. */
const HEAP_GROWTH_MAX = 16 * MEGABYTE;

/** Sends requests until one is answered as none may be; that one is then made as small as it can be. */
async function fuzz(service: FuzzedService, numRuns: number, seed: number): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
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
  return statuses;
}

it(
  `answers ${REQUESTS} requests of any kind as documented, never with a fault of its own, in flat memory`,
  async () => {
    await using service = await startFuzzedService();
    // What is loaded when it is first asked for is no leak: the documentation's page alone is 4 MB.
    for (const target of ['/docs/', '/docs/js/scalar.js', '/openapi.json']) {
      await service.send({ method: 'GET', target, headers: [], body: undefined });
    }
    await fuzz(service, Math.ceil(REQUESTS / 4), SEED);
    const before = await service.heapUsed();
    const statuses = await fuzz(service, REQUESTS - Math.ceil(REQUESTS / 4), SEED + 1);
    const growth = (await service.heapUsed()) - before;
    const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
    const [heap, grown] = [before / MEGABYTE, growth / MEGABYTE].map((size) => size.toFixed(1));
    process.stdout.write(
      `${REQUESTS} requests, seed ${SEED}; then ${counts.join(', ')}; heap ${heap} MB, grown by ${grown} MB\n`,
    );
    expect(growth).toBeLessThan(HEAP_GROWTH_MAX);
    // A fuzzer that only ever meets the gate has tested the gate.
    for (const status of [200, 201, 204, 207, 304, 400, 401, 404, 405, 409, 412, 413, 415, 422]) {
      expect(statuses.get(status), `answers with ${status}`).toBeGreaterThan(0);
    }
  },
  25 * 60_000,
);
