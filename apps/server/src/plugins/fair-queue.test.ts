import { setImmediate as nextIteration } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { FairQueue, STARTS_PER_ITERATION, WAITING_PER_CALLER_MAX } from './fair-queue.ts';

/** Sends requests of a caller to a queue and notes what starts. */
function sender(queue: FairQueue, started: string[]) {
  return (caller: string, count: number): number => {
    let accepted = 0;
    for (let index = 0; index < count; index += 1) {
      const begin = () => started.push(`${caller}${index}`);
      const isAccepted = queue.mayStart() ? begin() > 0 : queue.wait(caller, begin);
      if (isAccepted) accepted += 1;
    }
    return accepted;
  };
}

it('starts requests at once while few arrive in one iteration of the event loop', () => {
  const started: string[] = [];
  sender(new FairQueue(), started)('a', STARTS_PER_ITERATION);
  expect(started).toHaveLength(STARTS_PER_ITERATION);
});

it('starts a request of one caller in the next iteration, however many another caller has sent before', async () => {
  const started: string[] = [];
  const send = sender(new FairQueue(), started);
  send('flood', 400);
  send('good', 1);
  expect(started).not.toContain('good0');
  await nextIteration();
  expect(started).toContain('good0');
  expect(started.length).toBeLessThanOrEqual(2 * STARTS_PER_ITERATION);
});

it('starts a bounded number in each iteration, all of them in the end, those of one caller in their order', async () => {
  const started: string[] = [];
  const send = sender(new FairQueue(), started);
  for (const caller of ['a', 'b', 'c']) send(caller, 50);
  for (let before = started.length; started.length < 150; before = started.length) {
    await nextIteration();
    expect(started.length - before).toBeLessThanOrEqual(STARTS_PER_ITERATION);
    expect(started.length).toBeGreaterThan(before);
  }
  for (const caller of ['a', 'b', 'c']) {
    const own = started.filter((name) => name.startsWith(caller));
    expect(own).toEqual(Array.from({ length: 50 }, (_, index) => `${caller}${index}`));
  }
});

it('rejects what one caller sends beyond the bound of those that wait, and nothing of another', () => {
  const send = sender(new FairQueue(), []);
  expect(send('flood', 2_000)).toBe(STARTS_PER_ITERATION + WAITING_PER_CALLER_MAX);
  expect(send('good', 3)).toBe(3);
});
