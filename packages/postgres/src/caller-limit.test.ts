import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { CallerLimit, WAITING_MAX } from './caller-limit.ts';
import { OverloadedError } from './errors.ts';

/** Statements that run until the gate opens, and how many of each caller run. */
function gated(limit: CallerLimit) {
  const gate = Promise.withResolvers<void>();
  const running = new Map<string | undefined, number>();
  const count = (caller: string | undefined, by: 1 | -1) =>
    running.set(caller, (running.get(caller) ?? 0) + by);
  const run = (caller: string | undefined) =>
    limit.run(caller, async () => {
      count(caller, 1);
      await gate.promise;
      count(caller, -1);
    });
  return { run, open: gate.resolve, running };
}

it('statements of one caller beyond half of the connections wait for their turn, too many are rejected, and others are not affected', async () => {
  const limit = new CallerLimit(10, 0);
  const { run, open, running } = gated(limit);
  const greedy = Array.from({ length: 5 + WAITING_MAX }, () => run('greedy'));
  await expect(run('greedy')).rejects.toThrow(OverloadedError);
  expect(running.get('greedy')).toBe(5);
  expect(await limit.run('other', async () => 'served')).toBe('served');
  open();
  await Promise.all(greedy);
  expect(await limit.run('greedy', async () => 'served again')).toBe('served again');
});

it('two connections stay for callers that hold none, and one that waits gets its turn when another caller ends', async () => {
  const limit = new CallerLimit(10, 0);
  const [one, two, three] = [gated(limit), gated(limit), gated(limit)];
  const all = [
    ...Array.from({ length: 5 }, () => one.run('one')),
    ...Array.from({ length: 5 }, () => two.run('two')),
    ...Array.from({ length: 2 }, () => three.run('three')),
    three.run(undefined),
  ];
  const running = () => [one.running.get('one'), two.running.get('two'), three.running.get('three')];
  expect(running()).toEqual([5, 3, 1]);
  expect(three.running.get(undefined)).toBe(1);
  one.open();
  await Promise.all(all.slice(0, 5));
  await setImmediate();
  expect(running()).toEqual([0, 5, 2]);
  two.open();
  three.open();
  await Promise.all(all);
});

it('a statement whose turn does not come in time is rejected, and takes no turn later', async () => {
  const limit = new CallerLimit(1, 20);
  const { run, open, running } = gated(limit);
  const first = run('one');
  await expect(run('one')).rejects.toThrow(OverloadedError);
  open();
  await first;
  expect(running.get('one')).toBe(0);
  expect(await limit.run('one', async () => 'next')).toBe('next');
});

it('a statement that fails gives its turn to the next', async () => {
  const limit = new CallerLimit(1, 0);
  const failing = limit.run('one', () => Promise.reject(new Error('failed')));
  const next = limit.run('one', async () => 'next');
  await expect(failing).rejects.toThrow('failed');
  expect(await next).toBe('next');
});
