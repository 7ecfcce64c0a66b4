import { setImmediate as nextIteration } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { FairQueue, START_MS, WAITING_PER_CALLER_MAX } from './fair-queue.ts';

/** How many requests start in one iteration if each takes a tenth of the time. */
const STARTS = 10;

/** Sends requests of a caller to a queue on a clock of its own, on which each request takes some time; notes what starts. */
function queueOf(started: string[], tookMs = START_MS / STARTS + 1e-9) {
  let nowMs = 0;
  const queue = new FairQueue(() => nowMs);
  return (caller: string, count: number): number => {
    let accepted = 0;
    for (let index = 0; index < count; index += 1) {
      const begin = () => {
        nowMs += tookMs;
        started.push(`${caller}${index}`);
      };
      const mayStart = queue.mayStart();
      if (mayStart) begin();
      if (mayStart || queue.wait(caller, begin)) accepted += 1;
    }
    return accepted;
  };
}

it('starts requests at once while there is time for them in one iteration of the event loop', () => {
  const started: string[] = [];
  queueOf(started)('a', 2 * STARTS);
  expect(started).toHaveLength(STARTS);
});

it('starts a request of one caller in the next iteration, however many another caller has sent before', async () => {
  const started: string[] = [];
  const send = queueOf(started);
  send('flood', 400);
  send('good', 1);
  expect(started).not.toContain('good0');
  await nextIteration();
  expect(started).toContain('good0');
  expect(started).toHaveLength(2 * STARTS);
});

it('starts requests for a bounded time in each iteration, all of them in the end, those of one caller in their order', async () => {
  const started: string[] = [];
  const send = queueOf(started);
  for (const caller of ['a', 'b', 'c']) send(caller, 50);
  for (let before = started.length; started.length < 150; before = started.length) {
    await nextIteration();
    expect(started.length).toBe(before + STARTS);
  }
  for (const caller of ['a', 'b', 'c']) {
    const own = started.filter((name) => name.startsWith(caller));
    expect(own).toEqual(Array.from({ length: 50 }, (_, index) => `${caller}${index}`));
  }
});

it('starts a request in each iteration, however long one takes', async () => {
  const started: string[] = [];
  queueOf(started, 10 * START_MS)('slow', 5);
  for (let count = 1; count <= 5; count += 1) {
    expect(started).toHaveLength(count);
    await nextIteration();
  }
});

it('rejects what one caller sends beyond the bound of those that wait, and nothing of another', () => {
  const send = queueOf([]);
  expect(send('flood', 3_000)).toBe(STARTS + WAITING_PER_CALLER_MAX);
  expect(send('good', 3)).toBe(3);
});
