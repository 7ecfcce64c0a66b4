import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';
import { openRunDirectory } from './run-directory.ts';

it('a run of the tests leaves no directory, and fails when it leaves a process, which is ended', async () => {
  const before = tmpdir();
  const close = await openRunDirectory(0);
  const directory = tmpdir();
  expect(directory).not.toBe(before);
  const cwd = await mkdtemp(join(directory, 'of-a-test-'));
  // As the embedded PostgreSQL: in a session of its own, with an empty environment, and in a directory of the test.
  const left = spawn('/bin/sleep', ['60'], { cwd, detached: true, env: {}, stdio: 'ignore' });
  // As a server that a test started and forgot.
  const forgotten = spawn('/bin/sleep', ['61'], { cwd: '/', stdio: 'ignore', env: { TMPDIR: directory } });
  const ended = Promise.all([once(left, 'exit'), once(forgotten, 'exit')]);
  await Promise.all([once(left, 'spawn'), once(forgotten, 'spawn')]);
  if (process.platform === 'linux') {
    await expect(close()).rejects.toThrow(/left processes behind:\n.*sleep 6\d\n.*sleep 6\d$/);
    expect(await ended).toEqual([
      [null, 'SIGKILL'],
      [null, 'SIGKILL'],
    ]);
  } else {
    left.kill();
    forgotten.kill();
    await close();
  }
  await expect(stat(directory)).rejects.toThrow('ENOENT');
  expect(tmpdir()).toBe(before);
});
