import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { createTestDatabase } from './testing/driver-helpers.ts';

const packageDirectory = join(import.meta.dirname, '..');

it('runs the example of the README as printed', async () => {
  const readme = await readFile(join(packageDirectory, 'README.md'), 'utf8');
  const [, example = ''] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
  await using database = await createTestDatabase();
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', example], {
    cwd: packageDirectory,
    env: { ...process.env, DATABASE_URL: database.url },
  });
  const [, printed] = /console.log.*\/\/ (.*)/.exec(example) ?? [];
  expect(stdout).toBe(`${printed}\n`);
});
