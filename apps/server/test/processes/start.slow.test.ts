import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { inspectLocalPostgres } from '@roster/db';
import { createTestDatabase } from '@roster/db/testing';
import { describe, expect, it } from 'vitest';
import { diagnose } from '../../src/cli/check/index.ts';
import { readConfig } from '../../src/config/config.ts';
import { childrenOf, connectToBoth, isRunning } from '../support/processes/server-processes.ts';
import { startServiceProcess } from '../support/processes/service-process.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** Starts a server that is expected to fail; what it writes, and its exit code. */
async function failedStart(environment: Record<string, string>) {
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let printed = '';
  child.stderr.on('data', (chunk) => (printed += chunk));
  const started = setInterval(() => pids.push(...childrenOf(child.pid ?? 0)), 20);
  const pids: number[] = [];
  const [code] = await once(child, 'close');
  clearInterval(started);
  return { code, printed, left: pids.filter(isRunning) };
}

async function takenPort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return { port: String(port), [Symbol.dispose]: () => void server.close() };
}

it('two processes with the local PostgreSQL print the first lines once, when both listen, and leave nothing behind', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'roster-processes-'));
  // The user that PostgreSQL runs as when the tests run as root has to get in.
  await chmod(dataDir, 0o755);
  try {
    const settings = { ROSTER_PROCESSES: '2', ROSTER_ADMIN_KEY: '' };
    await using service = await startServiceProcess({ dataDir, settings });
    const pids = childrenOf(service.pid);
    expect(pids).toHaveLength(2);
    const output = service.output();
    for (const line of ['Roster listens at', 'The first key is in', 'The first person signs in'])
      expect(output.split(line)).toHaveLength(2);
    // The output is a pipe, which may be kept.
    const key = readFileSync(join(dataDir, 'key'), 'utf8').trim();
    expect(output).toContain(`The first key is in ${join(dataDir, 'key')}`);
    expect(output).not.toContain(key);
    expect(statSync(join(dataDir, 'key')).mode & 0o777).toBe(0o600);
    // The log has a line of each process that listens, and one of the process that has created the tables.
    await expect.poll(() => service.output().split('"created the tables of the database"')).toHaveLength(2);
    const listening = pids.map(
      (pid) => new RegExp(`"pid":${pid},.*"msg":"Server listening at ${service.url}"`),
    );
    for (const line of listening) await expect.poll(() => service.output()).toMatch(line);
    expect(readFileSync(join(dataDir, 'url'), 'utf8')).toBe(`${service.url}\n`);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    expect(await service.end('SIGTERM')).toBe(0);
    expect(pids.filter(isRunning)).toEqual([]);
    expect(existsSync(join(dataDir, 'url'))).toBe(false);
    expect((await inspectLocalPostgres(dataDir)).running).toBeUndefined();
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

describe('a start that fails', () => {
  it.each(['PORT', 'ROSTER_METRICS_PORT'])(
    'because %s is taken prints the same and ends with the same code with two processes as with one, and leaves no process',
    async (setting) => {
      await using database = await createTestDatabase();
      using taken = await takenPort();
      const environment = { DATABASE_URL: database.url, PORT: '0', [setting]: taken.port };
      const alone = await failedStart(environment);
      const several = await failedStart({ ...environment, ROSTER_PROCESSES: '2' });
      expect(alone.printed).toContain('another process listens there');
      expect(several).toEqual(alone);
      expect(several.code).toBe(1);
    },
  );

  it('because its port is taken makes no database first', async () => {
    const home = await mkdtemp(join(tmpdir(), 'roster-taken-'));
    using taken = await takenPort();
    const dataDir = join(home, 'data');
    try {
      const { code, printed } = await failedStart({
        DATABASE_URL: '',
        ROSTER_DATA_DIR: dataDir,
        PORT: taken.port,
      });
      expect({ code, isMade: existsSync(dataDir) }).toEqual({ code: 1, isMade: false });
      expect(printed).toContain('another process listens there');
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });

  it('because its processes end at once says so, starts them once, and leaves none', async () => {
    await using database = await createTestDatabase();
    const environment = { DATABASE_URL: database.url, PORT: '0', ROSTER_PROCESSES: '2' };
    // Ends every process that the primary process has started.
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(
      "import cluster from 'node:cluster'; if (cluster.isWorker) process.exit(7);",
    )}`;
    const { code, printed, left } = await failedStart({ ...environment, NODE_OPTIONS });
    expect({ code, left }).toEqual({ code: 1, left: [] });
    expect(printed).toMatch(
      /^Roster cannot serve: its process \d+ has ended \(exit code 7\) before all listened\.\n$/,
    );
  });

  it('because of an invalid setting names it once', async () => {
    const { printed, code } = await failedStart({ ROSTER_PROCESSES: '2', PORT: 'http' });
    expect({ printed, code }).toEqual({ printed: 'PORT: must be a whole number, 0 or more\n', code: 1 });
    expect(await failedStart({ ROSTER_PROCESSES: 'all' })).toMatchObject({
      printed: 'ROSTER_PROCESSES: must be a whole number from 1 to 64, or auto\n',
    });
  });
});

it('the processes share the connections to the database, the requests and the connections that the settings allow', async () => {
  await using database = await createTestDatabase();
  const environment = { DATABASE_URL: database.url, PORT: '0', ROSTER_PROCESSES: '3' };
  const { processes, database: connections, requestsMax, connectionsMax } = readConfig(environment);
  expect([processes, connections.pool.max, requestsMax, connectionsMax]).toEqual([3, 4, 67, 834]);
  const found = (await diagnose(environment)).find(({ subject }) => subject === 'connections');
  // The pool, two of each lane, one that ends the statements of others, and those of the workers.
  expect(found?.values).toMatchObject({ ours: 3 * (4 + 3 * 2 + 1 + 11) });
});

it('each process gets connections', async () => {
  await using database = await createTestDatabase();
  await using service = await startServiceProcess({
    databaseUrl: database.url,
    settings: { ROSTER_PROCESSES: '2' },
  });
  using connections = await connectToBoth(service);
  const pids = childrenOf(service.pid).toSorted();
  expect(connections.map(({ pid }) => pid).toSorted()).toEqual(pids);
  for (const { request } of connections) expect((await request('GET', '/readyz')).status).toBe(200);
});
