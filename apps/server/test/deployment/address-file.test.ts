import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordAddress } from '../../src/http/address-file.ts';
import { startServiceProcess } from '../support/service-process.ts';

const roster = fileURLToPath(new URL('../../../cli/src/roster.js', import.meta.url));
let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'roster-address-'));
  // The user that PostgreSQL runs as when the tests run as root has to get in.
  await chmod(home, 0o755);
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** Runs the command line in the clone, with nothing that says where the service is. */
async function command(...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH, HOME: home };
  const done = promisify(execFile)(process.execPath, [roster, ...argv], { cwd: home, env });
  return done.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

it('records where it listens, so that the command line beside it finds it and sends its key to no other', async () => {
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
}, 60_000);

it.each([
  ['http://0.0.0.0:3000', 'http://127.0.0.1:3000'],
  ['http://[::]:3000', 'http://[::1]:3000'],
  ['http://192.168.0.1:3000', 'http://192.168.0.1:3000'],
])('records %s as %s, and leaves the record of a later start alone', async (url, address) => {
  const file = join(home, 'url');
  const forget = await recordAddress(file, url);
  expect(await readFile(file, 'utf8')).toBe(`${address}\n`);
  const forgetLater = await recordAddress(file, 'http://127.0.0.1:4400');
  await forget();
  expect(await readFile(file, 'utf8')).toBe('http://127.0.0.1:4400\n');
  await forgetLater();
  await expect(readFile(file)).rejects.toThrow('ENOENT');
});
