import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inspectLocalPostgres } from '@roster/db';
import { expect, it, onTestFinished } from 'vitest';
import { MALLOC_SETTINGS, NODE_FLAGS } from '../../scripts/memory-flags.ts';
import { tellingLaunch } from '../support/processes/launch.ts';

const root = join(import.meta.dirname, '../../../..');
const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

it('npm start runs the server with the memory flags and malloc settings', async () => {
  const shell = spawn('/bin/sh', ['-c', scripts.start], {
    cwd: root,
    env: tellingLaunch(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { flags, malloc } = JSON.parse(await text(shell.stdout));
  expect(flags).toEqual(expect.arrayContaining(NODE_FLAGS));
  expect(malloc).toEqual(MALLOC_SETTINGS);
});

it('npm start stops the server and its PostgreSQL when npm is told to stop, which tells the shell alone', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'roster-launch-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  await chmod(dataDir, 0o755);
  const env = { ...process.env, DATABASE_URL: '', ROSTER_DATA_DIR: dataDir, PORT: '0' };
  // The second command keeps a shell from becoming the first, which some do and some do not.
  const shell = spawn('/bin/sh', ['-c', `${scripts.start}; true`], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(shell, 'close');
  const printed = { text: '' };
  for (const stream of [shell.stdout, shell.stderr])
    stream.on('data', (chunk) => {
      printed.text += chunk;
    });
  await expect.poll(() => printed.text).toContain('The data are in');
  expect((await inspectLocalPostgres(dataDir)).inUse).toBeDefined();
  shell.kill('SIGTERM');
  // The output ends when the server does.
  await ended;
  expect(await inspectLocalPostgres(dataDir)).toMatchObject({ inUse: undefined, running: undefined });
});
