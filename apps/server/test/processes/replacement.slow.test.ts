import { connect } from 'node:net';
import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { childrenOf, connectToBoth, isRunning } from '../support/processes/server-processes.ts';
import { type ServiceProcess, startServiceProcess } from '../support/processes/service-process.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const startTwo = () =>
  startServiceProcess({ databaseUrl: database.url, settings: { ROSTER_PROCESSES: '2' } });

/** The lines about processes that ended. */
const endsIn = (service: ServiceProcess) =>
  service
    .output()
    .split('\n')
    .filter((line) => line.includes('has ended, and is replaced'))
    .map((line) => JSON.parse(line) as { process: number; signal: string; pauseMs: number });

it('a process that is killed is replaced within a second, with a line in the log, while the other goes on', async () => {
  await using service = await startTwo();
  using connections = await connectToBoth(service);
  const [killed, other] = connections;
  let isOver = false;
  const statuses = new Set<number>();
  const asking = (async () => {
    while (!isOver) statuses.add((await other.request('GET', '/offices')).status);
  })();
  process.kill(killed.pid, 'SIGKILL');
  const replacement = () =>
    childrenOf(service.pid).find((pid) => !connections.some((one) => one.pid === pid));
  try {
    await expect.poll(replacement).toBeDefined();
    await expect.poll(() => service.output()).toContain('a process that replaces another listens');
  } finally {
    isOver = true;
    await asking;
  }
  expect(statuses).toEqual(new Set([200]));
  const ends = endsIn(service);
  expect(ends).toMatchObject([{ process: killed.pid, signal: 'SIGKILL' }]);
  // Of the pause, and not of the clock of a machine that others share.
  expect(ends[0]?.pauseMs).toBeLessThan(1_000);
  using again = await connectToBoth(service);
  expect(again.map(({ pid }) => pid)).toContain(replacement());
});

it('a process that ends again and again is replaced after longer and longer pauses', async () => {
  await using service = await startTwo();
  // The other one has just begun to listen.
  const [kept] = childrenOf(service.pid);
  for (let count = 1; count <= 3; count += 1) {
    await expect.poll(() => childrenOf(service.pid).length).toBe(2);
    for (const pid of childrenOf(service.pid)) if (pid !== kept) process.kill(pid, 'SIGKILL');
    await expect.poll(() => endsIn(service).length).toBe(count);
  }
  expect(endsIn(service).map(({ pauseMs }) => pauseMs)).toEqual([250, 500, 1_000]);
  expect((await service.request('GET', '/offices')).status).toBe(200);
});

it('a process that is told to stop by itself finishes, and is replaced', async () => {
  await using service = await startTwo();
  const [first] = childrenOf(service.pid);
  process.kill(first ?? 0, 'SIGTERM');
  await expect.poll(() => service.output()).toContain('a process that replaces another listens');
  expect(endsIn(service)).toMatchObject([{ process: first, exitCode: 0, signal: null }]);
});

it('the processes end by themselves if the primary process is killed, and leave the port', async () => {
  await using service = await startTwo();
  const pids = childrenOf(service.pid);
  await service.kill();
  await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  const connected = () => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(service.url).port) });
    return new Promise((resolve) => socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code)));
  };
  await expect.poll(connected).toBe('ECONNREFUSED');
});
