import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { startDatabase } from '@roster/harness/database';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const pages = ['install', 'configure', 'run'].map((name) => join(root, 'docs/operations', `${name}.md`));
const ADMIN_KEY = 'the-admin-key-of-the-page-of-operations';
const PORTS = [3001, 3002];

/** Finds the blocks of the pages by the words after the back-ticks, such as `sh build`. */
async function findBlocks(info: string): Promise<string[]> {
  const texts = await Promise.all(pages.map((path) => readFile(path, 'utf8')));
  return Array.from(texts.join('\n').matchAll(/^```([^\n]+)\n([\s\S]*?)^```$/gm))
    .filter(([, language]) => language === info)
    .map(([, , text = '']) => text);
}

interface Shell {
  cwd: string;
  env?: NodeJS.ProcessEnv;
}

/** The size that the page tells, within a fifth: a person plans a disk by it. */
async function checkBundleSize(): Promise<void> {
  const page = await readFile(join(root, 'docs/operations/install.md'), 'utf8');
  const told = Number(/one directory of about (\d+) MB/.exec(page)?.[1]);
  const { stdout } = await promisify(execFile)('du', ['-sm', join(root, 'apps/server/bundle')]);
  expect(
    Math.abs(Number.parseInt(stdout, 10) - told) / told,
    `${told} MB, and du says ${stdout}`,
  ).toBeLessThan(0.2);
}

/** Runs the blocks of a kind, as they are printed. Throws the error of the first command that fails, with its output. */
async function runBlocks(info: string, shell: Shell): Promise<void> {
  const blocks = await findBlocks(info);
  expect(blocks.length, info).toBeGreaterThan(0);
  for (const block of blocks)
    await promisify(execFile)('bash', ['-eu', '-o', 'pipefail', '-c', block], shell);
}

it('the secrets of a deployment are made as the page prints it: readable in a directory of the owner alone', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'roster-secrets-'));
  try {
    await runBlocks('sh secrets', { cwd });
    const directory = join(cwd, 'deploy/secrets');
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(directory))
      expect((await stat(join(directory, name))).mode & 0o777).toBe(0o644);
    const password = await readFile(join(directory, 'database_password'), 'utf8');
    const url = new URL(await readFile(join(directory, 'database_url'), 'utf8'));
    expect(decodeURIComponent(url.password)).toBe(password);
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
});

it('the pages build, check and start two servers on one database as they print it, which end with 0', async () => {
  await using database = await startDatabase();
  const shell = {
    cwd: root,
    env: { ...process.env, DATABASE_URL: database.url, ROSTER_ADMIN_KEY: ADMIN_KEY },
  };
  const servers: ChildProcess[] = [];
  try {
    for (const info of ['sh build', 'sh check']) await runBlocks(info, shell);
    await checkBundleSize();
    for (const block of await findBlocks('sh server'))
      servers.push(spawn('bash', ['-c', `exec env ${block.trim()}`], { ...shell, stdio: 'ignore' }));
    expect(servers).toHaveLength(PORTS.length);
    for (const at of PORTS) {
      const isReady = () =>
        fetch(`http://127.0.0.1:${at}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
      await expect.poll(isReady, { interval: 100 }).toBe(true);
    }
    await runBlocks('sh deployment', shell);
    const ends = servers.map((server) => once(server, 'exit'));
    for (const server of servers) server.kill('SIGTERM');
    expect(await Promise.all(ends)).toEqual(servers.map(() => [0, null]));
  } finally {
    for (const server of servers) server.kill('SIGKILL');
  }
});

it('the workflow runs the commands of the pages that need a container engine', async () => {
  const workflow = await readFile(join(root, '.github/workflows/ci.yml'), 'utf8');
  const commands = (await findBlocks('sh engine')).flatMap((block) => block.trim().split('\n'));
  expect(commands.filter((command) => !workflow.includes(command))).toEqual([]);
});
