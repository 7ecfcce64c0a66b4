import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Turns } from './batch-semaphore.ts';

/** Something that runs until it is told to end. */
function task(log: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const run = () => {
    log.push(name);
    return promise;
  };
  return { run, end: resolve, fail: reject };
}

it('lets eight run at once, and the next in order as each ends, well or not', async () => {
  const turns = new Turns();
  const log: string[] = [];
  const tasks = Array.from({ length: 11 }, (_, index) => task(log, String(index)));
  const ended = tasks.map(({ run }) => turns.run(run).catch((error: Error) => error.message));
  await pause(0);
  expect(log).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
  tasks[3]?.fail(new Error('fell'));
  tasks[5]?.end();
  await Promise.all([ended[3], ended[5]]);
  await pause(0);
  expect(log.slice(8)).toEqual(['8', '9']);
  for (const { end } of tasks) end();
  const answers = await Promise.all(ended);
  expect(log.slice(8)).toEqual(['8', '9', '10']);
  expect(answers[3]).toBe('fell');
});

it('does not let anybody wait behind slow ones, and counts each of those once', async () => {
  const turns = new Turns();
  const log: string[] = [];
  const slow = Array.from({ length: 8 }, (_, index) => task(log, `slow ${index}`));
  const ended = slow.map(({ run }) => turns.run(run));
  await turns.run(async () => log.push('after'));
  expect(log.at(-1)).toBe('after');
  for (const { end } of slow) end();
  await Promise.all(ended);
  const next = Array.from({ length: 9 }, (_, index) => task(log, `next ${index}`));
  const running = next.map(({ run }) => turns.run(run));
  await pause(0);
  expect(log.filter((name) => name.startsWith('next'))).toHaveLength(8);
  for (const { end } of next) end();
  await Promise.all(running);
});
