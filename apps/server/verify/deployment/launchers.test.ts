import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { MALLOC_SETTINGS, NODE_FLAGS } from '../../scripts/memory-flags.ts';
import { tellingLaunch } from '../../test/support/processes/launch.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'));

/** What Node.js says of itself when a shell runs one of the scripts of the repository, as npm does. */
async function launched(script: string) {
  const shell = spawn('/bin/sh', ['-c', script], {
    cwd: root,
    env: tellingLaunch(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // With --watch there are two lines, of the process that watches and of the one it starts.
  const lines = (await text(shell.stdout)).split('\n').filter((line) => line.startsWith('{'));
  return { shell: shell.pid, ...JSON.parse(lines.at(-1) ?? '') };
}

it('npm start replaces its shell by the server, with the memory flags and malloc settings', async () => {
  const { shell, pid, flags, malloc } = await launched(scripts.start);
  expect(flags).toEqual(NODE_FLAGS);
  expect(malloc).toEqual(MALLOC_SETTINGS);
  // Signals that npm forwards reach the server itself, and its exit code is that of npm.
  expect(pid).toBe(shell);
});

it('npm start passes the memory flags if the shell has no exec, as on Windows', async () => {
  const { flags } = await launched(scripts.start.split('||')[1]);
  expect(flags).toEqual(NODE_FLAGS);
});

it.each(['server', 'dev'])('npm run %s passes the memory flags', async (name) => {
  expect((await launched(scripts[name])).flags).toEqual(expect.arrayContaining(NODE_FLAGS));
});
