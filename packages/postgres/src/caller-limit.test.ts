import { expect, it } from 'vitest';
import { CallerLimit, WAITING_MAX } from './caller-limit.ts';
import { OverloadedError } from './errors.ts';

it('reads of one caller beyond the limit wait for their turn, too many are rejected, and others are not affected', async () => {
  const limit = new CallerLimit(2);
  let running = 0;
  let most = 0;
  const gate = Promise.withResolvers<void>();
  const read = async () => {
    running += 1;
    most = Math.max(most, running);
    await gate.promise;
    running -= 1;
  };
  const greedy = Array.from({ length: 2 + WAITING_MAX }, () => limit.run('greedy', read));
  await expect(limit.run('greedy', read)).rejects.toThrow(OverloadedError);
  expect(await limit.run('other', async () => 'served')).toBe('served');
  gate.resolve();
  await Promise.all(greedy);
  expect(most).toBe(2);
  expect(await limit.run('greedy', async () => 'served again')).toBe('served again');
});

it('a read that fails gives its turn to the next', async () => {
  const limit = new CallerLimit(1);
  const failing = limit.run('one', () => Promise.reject(new Error('failed')));
  const next = limit.run('one', async () => 'next');
  await expect(failing).rejects.toThrow('failed');
  expect(await next).toBe('next');
});
