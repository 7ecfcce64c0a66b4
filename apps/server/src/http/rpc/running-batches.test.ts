import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Semaphore } from './routes.ts';

/** A task that runs until `end` or `fail` is called. */
function task(log: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const run = () => {
    log.push(name);
    return promise;
  };
  return { run, end: resolve, fail: reject };
}

it('runs eight tasks at once, and the others in order when one finishes or fails', async () => {
  const semaphore = new Semaphore();
  const log: string[] = [];
  const tasks = Array.from({ length: 11 }, (_, index) => task(log, String(index)));
  const finished = tasks.map(({ run }) => semaphore.run(run).catch((error: Error) => error.message));
  await pause(0);
  expect(log).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
  tasks[3]?.fail(new Error('failed'));
  tasks[5]?.end();
  await Promise.all([finished[3], finished[5]]);
  await pause(0);
  expect(log.slice(8)).toEqual(['8', '9']);
  for (const { end } of tasks) end();
  const results = await Promise.all(finished);
  expect(log.slice(8)).toEqual(['8', '9', '10']);
  expect(results[3]).toBe('failed');
});

it('releases the slot of a slow task early, and only once', async () => {
  const semaphore = new Semaphore();
  const log: string[] = [];
  const slow = Array.from({ length: 8 }, (_, index) => task(log, `slow ${index}`));
  const finished = slow.map(({ run }) => semaphore.run(run));
  await semaphore.run(async () => log.push('after'));
  expect(log.at(-1)).toBe('after');
  for (const { end } of slow) end();
  await Promise.all(finished);
  const next = Array.from({ length: 9 }, (_, index) => task(log, `next ${index}`));
  const running = next.map(({ run }) => semaphore.run(run));
  await pause(0);
  expect(log.filter((name) => name.startsWith('next'))).toHaveLength(8);
  for (const { end } of next) end();
  await Promise.all(running);
});
