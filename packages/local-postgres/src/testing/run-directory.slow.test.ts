import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';
import { openRunDirectory } from './run-directory.ts';

it('a test run removes its directory, kills the processes that tests left, and fails if there were any', async () => {
  const before = tmpdir();
  const close = await openRunDirectory(0);
  const directory = tmpdir();
  expect(directory).not.toBe(before);
  const cwd = await mkdtemp(join(directory, 'of-a-test-'));
  // Like a local PostgreSQL: in a session of its own, with an empty environment, in a directory of the test.
  const left = spawn('/bin/sleep', ['60'], { cwd, detached: true, env: {}, stdio: 'ignore' });
  // Like a server that a test started and did not stop.
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

it.runIf(process.platform === 'linux')(
  'a test run that is killed leaves neither its directory nor its processes',
  async () => {
    const module = JSON.stringify(join(import.meta.dirname, 'run-directory.ts'));
    const script = `
      import { spawn } from 'node:child_process';
      import { tmpdir } from 'node:os';
      import { openRunDirectory } from ${module};
      await openRunDirectory();
      const left = spawn('/bin/sleep', ['600'], { cwd: tmpdir(), detached: true, env: {}, stdio: 'ignore' });
      console.log(JSON.stringify({ directory: tmpdir(), pid: left.pid }));
      setInterval(() => {}, 1_000);`;
    const run = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(run.stdout, 'data');
    const { directory, pid } = JSON.parse(String(line)) as { directory: string; pid: number };
    expect(await stat(`/proc/${pid}`)).toBeDefined();
    run.kill('SIGKILL');
    await expect.poll(() => stat(`/proc/${pid}`).catch(({ code }) => code)).toBe('ENOENT');
    await expect.poll(() => stat(directory).catch(({ code }) => code)).toBe('ENOENT');
  },
);
