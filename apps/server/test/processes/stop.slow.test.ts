import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inspectLocalPostgres } from '@roster/db';
import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestsThatWait } from '../support/locks.ts';
import { childrenOf, connectToBoth, isRunning } from '../support/processes/server-processes.ts';
import { startServiceProcess } from '../support/processes/service-process.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const PROCESSES = { ROSTER_PROCESSES: '2' };

it('Ctrl-C on a terminal, which signals every process, drains all: not ready, no connections, requests finish, exit 0', async () => {
  await using database = await createTestDatabase();
  const settings = { ...PROCESSES, ROSTER_DRAIN_DELAY_MS: '300' };
  await using service = await startServiceProcess({ databaseUrl: database.url, settings, isGroup: true });
  using connections = await connectToBoth(service);
  const pids = childrenOf(service.pid);
  const statusesOf = (path: string) =>
    Promise.all(connections.map(async ({ request }) => (await request('GET', path)).status));
  expect(await statusesOf('/readyz')).toEqual([200, 200]);
  const { running, ended } = await database.db.transaction().execute(async (trx) => {
    await sql`lock table office in access exclusive mode`.execute(trx);
    // The server closes these connections after their responses.
    const others = await connectToBoth(service);
    const begun = others.map(({ request }) => request('POST', '/offices', { name: 'Porto' }));
    await expect.poll(() => requestsThatWait(database.db)).toBe(2);
    process.kill(-service.pid, 'SIGINT');
    const end = service.end('SIGINT');
    await expect.poll(() => service.output()).toContain('SIGINT: finishing what runs');
    await expect.poll(() => statusesOf('/readyz'), { interval: 10 }).toEqual([503, 503]);
    const refused = () =>
      fetch(`${service.url}/healthz`).then(
        () => false,
        () => true,
      );
    await expect.poll(refused, { interval: 10 }).toBe(true);
    expect(pids.filter(isRunning)).toEqual(pids);
    return { running: begun, ended: end };
  });
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual([201, 201]);
  expect(await ended).toBe(0);
  expect(service.output().split('finishing what runs')).toHaveLength(2);
  expect(service.output()).not.toContain('has ended, and is replaced');
  expect(pids.filter(isRunning)).toEqual([]);
});

describe('with the local PostgreSQL', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'roster-stop-'));
    // The user that PostgreSQL runs as when the tests run as root has to get in.
    await chmod(dataDir, 0o755);
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  it('a second signal stops all processes at once, and PostgreSQL after them', async () => {
    const settings = { ...PROCESSES, ROSTER_DRAIN_DELAY_MS: '60000' };
    await using service = await startServiceProcess({ dataDir, settings });
    const pids = childrenOf(service.pid);
    service.signal('SIGTERM');
    await expect.poll(() => service.output()).toContain('SIGTERM: finishing what runs');
    await setTimeout(1_100);
    expect(await service.end('SIGTERM')).toBe(143);
    expect(service.output().split('Stopped at once.\n')).toHaveLength(2);
    // The system takes its time to end a process that is killed; one that is not waits for a minute.
    await expect.poll(() => pids.filter(isRunning), { timeout: 15_000 }).toEqual([]);
    expect((await inspectLocalPostgres(dataDir)).running).toBeUndefined();
  });
});

/** Whether a server migrates a database: it holds an advisory lock. */
async function isBeingMigrated({ db }: TestDatabase): Promise<boolean> {
  const { rows } = await sql`
    select from pg_locks join pg_database on pg_database.oid = pg_locks.database
    where locktype = 'advisory' and datname = current_database()`.execute(db);
  return rows.length > 0;
}

it.each([
  ['while the database is migrated', (_: number, database: TestDatabase) => isBeingMigrated(database)],
  ['while the processes start', async (pid: number) => childrenOf(pid).length === 2],
])('a signal %s ends the start in order, and no process is left', async (_, isThere) => {
  await using database = await createTestDatabase({ template: 'template0' });
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, ...PROCESSES, DATABASE_URL: database.url, PORT: '0', ROSTER_DRAIN_MS: '500' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  await expect.poll(() => isThere(child.pid ?? 0, database), { interval: 5 }).toBe(true);
  const pids = childrenOf(child.pid ?? 0);
  child.kill('SIGTERM');
  expect(await ended, output).toEqual([0, null]);
  expect(output).not.toContain('Roster listens at');
  expect(pids.filter(isRunning)).toEqual([]);
});
