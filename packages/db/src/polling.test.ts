import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Polling, type PollingOptions, startPolling } from './polling.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const INTERVAL_MS = 1_000;

/** A job that counts its runs, each of which ends as the test says. */
function startCounted(outcome: () => Promise<'more' | undefined>, options: Partial<PollingOptions> = {}) {
  const errors: unknown[] = [];
  let runs = 0;
  const polling: Polling = startPolling(
    () => {
      runs += 1;
      return outcome();
    },
    { intervalMs: INTERVAL_MS, onError: (error) => errors.push(error), ...options },
  );
  return { polling, errors, runs: () => runs };
}

const done = async () => undefined;

describe('polling', () => {
  it('runs at once, and then once in each interval', async () => {
    const { polling, runs } = startCounted(done);
    expect(runs()).toBe(1);
    await vi.advanceTimersByTimeAsync(INTERVAL_MS - 1);
    expect(runs()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(runs()).toBe(2);
    await vi.advanceTimersByTimeAsync(INTERVAL_MS);
    expect(runs()).toBe(3);
    await polling.stop();
  });

  it('runs at once when it is woken during the interval', async () => {
    const { polling, runs } = startCounted(done);
    await vi.advanceTimersByTimeAsync(10);
    polling.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(runs()).toBe(2);
    await vi.advanceTimersByTimeAsync(INTERVAL_MS);
    expect(runs()).toBe(3);
    await polling.stop();
  });

  it('runs once for many wakes within the pause, when the pause is over', async () => {
    const { polling, runs } = startCounted(done, { pauseMs: 20 });
    await vi.advanceTimersByTimeAsync(0);
    for (let count = 0; count < 10; count += 1) polling.wake();
    await vi.advanceTimersByTimeAsync(19);
    expect(runs()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(runs()).toBe(2);
    await vi.advanceTimersByTimeAsync(INTERVAL_MS - 1);
    expect(runs()).toBe(2);
    await polling.stop();
  });

  it('never runs twice at once, and runs again if it was woken during a run', async () => {
    const runEnds: (() => void)[] = [];
    const { polling, runs } = startCounted(
      () => new Promise((resolve) => runEnds.push(() => resolve(undefined))),
    );
    polling.wake();
    await vi.advanceTimersByTimeAsync(5 * INTERVAL_MS);
    expect(runs()).toBe(1);
    runEnds[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(runs()).toBe(2);
    runEnds[1]?.();
    await polling.stop();
  });

  it('runs again without a pause while there is more to do', async () => {
    let left = 3;
    const { polling, runs } = startCounted(async () => (--left > 0 ? 'more' : undefined), { pauseMs: 20 });
    await vi.advanceTimersByTimeAsync(0);
    expect(runs()).toBe(3);
    await polling.stop();
  });

  it('reports an error, and tries again after the retry time, which a wake does not shorten', async () => {
    const failure = new Error('unavailable');
    const { polling, errors, runs } = startCounted(() => Promise.reject(failure), { retryMs: 200 });
    await vi.advanceTimersByTimeAsync(0);
    polling.wake();
    await vi.advanceTimersByTimeAsync(199);
    expect([runs(), errors]).toEqual([1, [failure]]);
    await vi.advanceTimersByTimeAsync(1);
    expect([runs(), errors]).toEqual([2, [failure, failure]]);
    await polling.stop();
  });

  it('stops at once while it waits, and runs no more', async () => {
    const { polling, runs } = startCounted(done);
    await vi.advanceTimersByTimeAsync(10);
    await polling.stop();
    expect(vi.getTimerCount()).toBe(0);
    polling.wake();
    await vi.advanceTimersByTimeAsync(5 * INTERVAL_MS);
    expect(runs()).toBe(1);
    await polling.stop();
  });

  it('waits for the run that is under way when it is stopped', async () => {
    const release = Promise.withResolvers<undefined>();
    const { polling, runs } = startCounted(() => release.promise);
    let isStopped = false;
    const stopped = polling.stop().then(() => {
      isStopped = true;
    });
    await setImmediate();
    expect(isStopped).toBe(false);
    release.resolve(undefined);
    await stopped;
    expect([runs(), vi.getTimerCount()]).toEqual([1, 0]);
  });
});
