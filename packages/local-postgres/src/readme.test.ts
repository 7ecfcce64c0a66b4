import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { scratch, serverPid } from './testing/children.ts';

const packageDirectory = join(import.meta.dirname, '..');

it('the example of the README runs as printed, and leaves no server', async () => {
  const readme = await readFile(join(packageDirectory, 'README.md'), 'utf8');
  const [, example = ''] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
  await using directory = await scratch();
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', example], {
    cwd: packageDirectory,
    env: { ...process.env, HOME: directory.path },
  });
  expect(stdout).toBe('2\n');
  expect(await serverPid(join(directory.path, '.my-app', 'postgres', 'data'))).toBeUndefined();
});
