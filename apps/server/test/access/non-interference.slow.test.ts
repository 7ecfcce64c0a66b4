import process from 'node:process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyRequest } from './twin-requests.ts';
import { Clock, disturb, type LimitedTwin, settle, startTwin } from './twin-scene.ts';

/** Sequences of requests; `npm exec -- pnpm --filter @roster/server run access` runs thousands. */
const SEQUENCES = Number(process.env.ROSTER_TEST_SEQUENCES ?? 60);

/** Far more than they take, also on a machine with other work. */
const TIMEOUT_MS = 120_000 + SEQUENCES * 1_000;

const clock = new Clock();

async function stop(...twins: LimitedTwin[]): Promise<void> {
  for (const { twin } of twins) await twin.server[Symbol.asyncDispose]();
}

it(
  'what a limited caller gets does not depend on anything that it may not see',
  async () => {
    const [one, other] = [await startTwin(clock, 1), await startTwin(clock, 2)];
    const sequence = fc.record({
      requests: fc.array(anyRequest, { minLength: 3, maxLength: 8 }),
      disturbances: fc.array(fc.tuple(fc.boolean(), fc.nat({ max: 1_000 })), { maxLength: 4 }),
    });
    try {
      await fc.assert(
        fc.asyncProperty(sequence, async ({ requests, disturbances }) => {
          for (const [index, request] of requests.entries()) {
            const disturbance = disturbances[index];
            if (disturbance !== undefined) await disturb((disturbance[0] ? one : other).twin, disturbance[1]);
            await Promise.all([settle(one.twin), settle(other.twin)]);
            clock.tick();
            const expected = await one.twin.ask(request, one.key);
            expect(expected.hidden, JSON.stringify(request)).toEqual([]);
            expect(await other.twin.ask(request, other.key), JSON.stringify(request)).toEqual(expected);
          }
        }),
        { numRuns: SEQUENCES, endOnFailure: true },
      );
    } finally {
      await stop(one, other);
    }
  },
  TIMEOUT_MS,
);
