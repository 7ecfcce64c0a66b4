import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startServiceProcess } from '@roster/server/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

const roster = fileURLToPath(new URL('../../src/roster.js', import.meta.url));
let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'roster-address-'));
  // Readable by the user that PostgreSQL runs as if the tests run as root.
  await chmod(home, 0o755);
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** Runs the command line in the clone, without a URL or key in options and environment. */
async function command(...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH, HOME: home };
  const done = promisify(execFile)(process.execPath, [roster, ...argv], { cwd: home, env });
  return done.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

it('the command finds the server of its clone at the address that it recorded, and sends its key to no other', async () => {
  const dataDir = join(home, '.roster');
  const file = join(dataDir, 'url');
  const options = { dataDir, settings: { ROSTER_ADMIN_KEY: '' } };
  await using first = await startServiceProcess(options);
  expect(await readFile(file, 'utf8')).toBe(`${first.url}\n`);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await command('offices', 'list')).toMatchObject({ code: 0, stderr: 'No offices match.\n' });
  const elsewhere = await command('offices', 'list', '--url', 'http://127.0.0.1:9');
  expect(elsewhere.code).not.toBe(0);
  await first.kill();
  await using second = await startServiceProcess(options);
  expect(await readFile(file, 'utf8')).toBe(`${second.url}\n`);
  expect(await command('offices', 'list')).toMatchObject({ code: 0 });
  expect(await second.end('SIGTERM')).toBe(0);
  await expect(readFile(file)).rejects.toThrow('ENOENT');
  const stopped = await command('status');
  expect(stopped.stdout).toContain('keyState\tnone');
});
