import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inspectLocalPostgres } from '@roster/db';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServiceProcess } from '../support/processes/service-process.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'roster-directory-'));
  // The user that PostgreSQL runs as when the tests run as root has to get in.
  await chmod(home, 0o755);
});
afterAll(() => rm(home, { recursive: true, force: true }));

const environmentOf = (dataDir: string, settings: Record<string, string> = {}) => ({
  ...process.env,
  DATABASE_URL: '',
  ROSTER_DATA_DIR: dataDir,
  PORT: '0',
  ...settings,
});

/** Runs `roster-server` on a data directory until it ends. */
async function run(dataDir: string, args: string[], settings: Record<string, string> = {}) {
  const env = environmentOf(dataDir, settings);
  return promisify(execFile)(process.execPath, [main, ...args], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

it.each(['1', '2'])(
  'a second server on the data of one with ROSTER_PROCESSES=%s is rejected and told who has them; commands use its PostgreSQL; after SIGKILL the next start has the data',
  async (processes) => {
    const dataDir = join(home, `of-${processes}`);
    const options = { dataDir, settings: { ROSTER_PROCESSES: processes } };
    const first = await startServiceProcess(options);
    expect((await first.request('POST', '/offices', { name: 'Porto' })).status).toBe(201);
    const { port } = new URL(first.url);
    for (const PORT of ['0', port]) {
      const second = await run(dataDir, [], { PORT, ROSTER_PROCESSES: processes });
      expect(second.code).toBe(1);
      expect(second.stderr).toContain(`in use by process ${first.pid} on `);
      expect(second.stderr).toContain(`. Its server listens at ${first.url}.`);
      expect(second.stderr).toContain('Use that server, stop it, or start one on other data');
    }
    expect(await readFile(join(dataDir, 'url'), 'utf8')).toBe(`${first.url}\n`);
    expect((await first.request('GET', '/readyz')).status).toBe(200);

    const file = join(home, `of-${processes}.backup`);
    expect(await run(dataDir, ['backup', file])).toMatchObject({ code: 0 });
    expect(await run(dataDir, ['restore', file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The database is not empty'),
    });
    expect(await run(dataDir, ['migrate'])).toMatchObject({ code: 0 });
    expect(await run(dataDir, ['--check'])).toMatchObject({ code: 0 });
    expect((await first.request('GET', '/readyz')).status).toBe(200);

    await first.end('SIGKILL');
    await using next = await startServiceProcess(options);
    const offices = (await (await next.request('GET', '/offices')).json()) as { items: { name: string }[] };
    expect(offices.items.map(({ name }) => name)).toEqual(['Porto']);
    expect(await next.end('SIGTERM')).toBe(0);
    // Without a server a command starts PostgreSQL and stops it again.
    expect(await run(dataDir, ['backup', `${file}.2`])).toMatchObject({ code: 0 });
    for (let time = 0; time < 3; time++) {
      const restored = await run(dataDir, ['restore', `${file}.2`]);
      expect(restored).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('The database is not empty'),
      });
    }
    expect((await run(dataDir, ['--check'])).stdout).toContain('is not running');
  },
);

it('a migration that is interrupted leaves no PostgreSQL behind', async () => {
  const dataDir = join(home, 'interrupted');
  const child = spawn(process.execPath, [main, 'migrate'], { env: environmentOf(dataDir), stdio: 'ignore' });
  const ended = once(child, 'exit');
  const running = async () => (await inspectLocalPostgres(dataDir)).running;
  await expect.poll(running).toBeDefined();
  child.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
  await expect.poll(running).toBeUndefined();
});
