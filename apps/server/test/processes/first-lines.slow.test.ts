import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const LINES_MAX = 15;

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'roster-first-lines-'));
  // The user that PostgreSQL runs as when the tests run as root has to get in.
  await chmod(dataDir, 0o755);
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** A start whose streams are two pipes, up to the last of the first lines. */
async function start(settings: Record<string, string> = {}) {
  const env = {
    ...process.env,
    DATABASE_URL: '',
    ROSTER_ADMIN_KEY: '',
    ROSTER_DATA_DIR: dataDir,
    PORT: '0',
    ...settings,
  };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (said.stdout += chunk));
  child.stderr.on('data', (chunk) => (said.stderr += chunk));
  const first = async () => {
    await expect.poll(() => said.stderr + said.stdout).toContain('The data are in');
    return said.stderr.split('\n').filter((line) => line.trim() !== '');
  };
  const stop = async () => {
    child.kill('SIGTERM');
    expect((await ended)[0], said.stderr).toBe(0);
    return said;
  };
  return { first, stop };
}

/** Lets a person be there, so that no link is printed for the first one. */
async function invite(url: string): Promise<void> {
  const key = (await readFile(join(dataDir, 'key'), 'utf8')).trim();
  const response = await fetch(`${url}/people`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Ana', email: 'ana@casa.example', grants: [{ role: 'admin' }] }),
  });
  expect(response.status).toBe(201);
}

it.each(['1', '2'])(
  'in a pipe, a first start of %s processes prints at most 15 lines for people on standard error, the link to sign in first, and only JSON on standard output, with one line about the database',
  async (processes) => {
    const service = await start({ ROSTER_PROCESSES: processes });
    const lines = await service.first();
    expect(lines[0]).toBe('  The first person signs in here, once, within ten minutes:');
    expect(lines[1]).toMatch(/^ {2}http:\/\/127\.0\.0\.1:\d+\/sign-in\/link\?token=/);
    expect(lines[2]).toMatch(/^ {2}Roster listens at {3}http:/);
    const { stdout, stderr } = await service.stop();
    const [firstLines = ''] = stderr.split('\nSIGTERM');
    expect(firstLines.trimEnd().split('\n').length, firstLines).toBeLessThanOrEqual(LINES_MAX);
    const logged = stdout
      .trim()
      .split('\n')
      .map((line): { msg: string } => JSON.parse(line));
    expect(logged.map(({ msg }) => msg).filter((msg) => msg.includes('database'))).toEqual([
      'created the tables of the database',
    ]);
  },
);

it('a later start says how to sign in, and no longer how to create the first office', async () => {
  const first = await start();
  const [, , listens = ''] = await first.first();
  await invite(listens.replace(/.* /, ''));
  await first.stop();
  const later = await start();
  const lines = await later.first();
  await later.stop();
  expect(lines[0]).toBe('  Sign in with        npm run -s roster -- open');
  expect(lines.join('\n')).not.toMatch(/Create an office|sign-in\/link|The first key/);
});

it('a log of lines for people has the first lines among them on standard output', async () => {
  const service = await start({ ROSTER_LOG_FORMAT: 'pretty' });
  await service.first();
  const { stdout, stderr } = await service.stop();
  expect(stdout).toContain('  Roster listens at   http');
  expect(stderr).not.toContain('listens at');
});
