import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtempDisposable, readdir, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const MINUTES_MAX = 3 * 60_000;

/** The files of the repository that `.dockerignore` lets into the image: the last pattern that matches decides. */
async function admittedFiles(): Promise<string[]> {
  const lines = (await readFile(join(root, '.dockerignore'), 'utf8')).split('\n');
  const patterns = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const isIgnored = (file: string) =>
    patterns.reduce((ignored, pattern) => {
      const isException = pattern.startsWith('!');
      const path = isException ? pattern.slice(1) : pattern;
      return matchesGlob(file, path) || matchesGlob(file, `${path}/**`) ? !isException : ignored;
    }, false);
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
  });
  return files
    .toString()
    .split('\0')
    .filter((file) => file !== '' && !isIgnored(file));
}

it(
  'the console that the image builds has the samples',
  async () => {
    await using directory = await mkdtempDisposable(join(tmpdir(), 'roster-image-'));
    const copy = directory.path;
    for (const file of await admittedFiles()) {
      await mkdir(dirname(join(copy, file)), { recursive: true });
      await cp(join(root, file), join(copy, file));
    }
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
    for (const group of ['apps', 'packages'])
      for (const name of await readdir(join(copy, group)))
        await symlink(join(root, group, name, 'node_modules'), join(copy, group, name, 'node_modules'));
    for (const script of ['contract.mjs', 'console.ts'])
      execFileSync(process.execPath, [join(copy, 'scripts/packaging', script)], { cwd: copy, stdio: 'pipe' });
    const assets = join(copy, 'apps/console/dist/assets');
    const scripts = (await readdir(assets)).filter((name) => name.endsWith('.js'));
    const texts = await Promise.all(scripts.map((name) => readFile(join(assets, name), 'utf8')));
    for (const sample of ['Casa Clara Algarve', 'Cabrita'])
      expect(texts.filter((text) => text.includes(sample))).toHaveLength(1);
  },
  MINUTES_MAX,
);
