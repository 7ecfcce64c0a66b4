import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';

const runner = join(import.meta.dirname, '../run-tests.ts');

/** A command that starts a process, prints its number and the directory of the run, and ends by no signal that a runner hands on. */
const STUBBORN = `trap '' TERM INT HUP; sleep 600 & echo $! $TMPDIR; while :; do sleep 1; done`;

const codeOf = (path: string) =>
  stat(path).then(
    () => 'there',
    ({ code }: NodeJS.ErrnoException) => code,
  );

/** What a command reports of itself: the process it has started, and the directory of its run. */
async function readReport(stdout: NodeJS.ReadableStream): Promise<{ pid: string; directory: string }> {
  const [line] = (await once(stdout, 'data')) as [Buffer];
  const [pid = '', directory = ''] = String(line).trim().split(' ');
  return { pid, directory };
}

it('a run of tests ends with the exit code of its command and leaves no directory', async () => {
  const run = spawn(process.execPath, [runner, 'sh', '-c', 'touch "$TMPDIR/left"; echo $$ $TMPDIR; exit 3']);
  const [{ directory }, [code]] = await Promise.all([readReport(run.stdout), once(run, 'exit')]);
  expect(code).toBe(3);
  expect(await codeOf(directory)).toBe('ENOENT');
});

it.runIf(process.platform === 'linux')(
  'a run of tests that SIGKILL ends leaves neither a process nor a file',
  async () => {
    const run = spawn(process.execPath, [runner, 'sh', '-c', STUBBORN], { detached: true });
    const { pid, directory } = await readReport(run.stdout);
    expect(await codeOf(`/proc/${pid}`)).toBe('there');
    run.kill('SIGKILL');
    await expect.poll(() => codeOf(`/proc/${pid}`)).toBe('ENOENT');
    await expect.poll(() => codeOf(directory)).toBe('ENOENT');
  },
);

it.runIf(process.platform === 'linux')(
  'a run of tests ends when the process that has started it is killed',
  async () => {
    const npm = spawn('sh', [
      '-c',
      `"$0" "$1" sh -c 'sleep 600 & echo $! $TMPDIR; wait'; true`,
      process.execPath,
      runner,
    ]);
    const { pid, directory } = await readReport(npm.stdout);
    npm.kill('SIGKILL');
    await expect.poll(() => codeOf(`/proc/${pid}`)).toBe('ENOENT');
    await expect.poll(() => codeOf(directory)).toBe('ENOENT');
  },
);
