import { existsSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { buildConsole, bundledPackages } from '../packaging/console.ts';
import { precompress } from '../packaging/precompress.ts';

let root: string;
let count: number;

const write = async (path: string, text: string) => {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
};

/** Builds the console of the workspace of a test, and says whether that was necessary. */
function isRebuilt(): boolean {
  const { directory, isNew } = buildConsole({
    root,
    build: (into) => {
      count += 1;
      writeFileSync(join(into, 'index.html'), `build ${count}`);
    },
  });
  expect(directory).toBe(join(root, 'apps/console/dist'));
  return isNew;
}

beforeEach(async () => {
  count = 0;
  root = await mkdtemp(join(tmpdir(), 'roster-console-build-'));
  const created = root;
  onTestFinished(() => rm(created, { recursive: true, force: true }));
  await write('apps/console/src/main.tsx', 'one');
  await write('apps/console/node_modules/vite/package.json', '{}');
  await write('packages/client/src/client.ts', 'one');
  await write('pnpm-lock.yaml', 'one');
});

it('knows every package whose code is in the page', async () => {
  const source = join(import.meta.dirname, '../../apps/console/src');
  const names = (await readdir(source, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
  const texts = await Promise.all(names.map((name) => readFile(join(source, name), 'utf8')));
  const imported = texts.flatMap((text) => [
    ...text.matchAll(/^import (?!type).*? from '@roster\/([a-z-]+)/gms),
  ]);
  const packages = new Set(imported.map(([, name]) => `packages/${name}`));
  expect(packages.size).toBeGreaterThan(0);
  expect([...packages].filter((folder) => !bundledPackages.includes(folder))).toEqual([]);
});

describe('the build of the console', () => {
  it('is made once, and left alone while its inputs are the same', async () => {
    expect([isRebuilt(), isRebuilt(), isRebuilt()]).toEqual([true, false, false]);
    expect(await readFile(join(root, 'apps/console/dist/index.html'), 'utf8')).toBe('build 1');
    expect(await readdir(join(root, 'apps/console/node_modules'))).toEqual(['vite']);
  });

  it.each([
    ['apps/console/src/main.tsx', 'two', true],
    ['apps/console/src/other.tsx', 'new', true],
    ['apps/console/vite.config.ts', 'new', true],
    ['packages/client/src/client.ts', 'two', true],
    ['pnpm-lock.yaml', 'two', true],
    ['apps/console/test/main.test.ts', 'new', false],
    ['apps/console/src/main.test.tsx', 'new', false],
    ['apps/console/.messages-1/src/main.tsx', 'new', false],
    ['apps/console/node_modules/vite/index.js', 'new', false],
    ['apps/server/src/main.ts', 'new', false],
  ])('when %s changes it is made again: %s %s', async (path, text, isExpected) => {
    isRebuilt();
    await write(path, text);
    expect(isRebuilt()).toBe(isExpected);
  });

  it('is made again when it was removed, or when its inputs are what they were before', async () => {
    isRebuilt();
    await rm(join(root, 'apps/console/dist'), { recursive: true });
    expect(isRebuilt()).toBe(true);
    await rm(join(root, 'apps/console/src/main.tsx'));
    expect(isRebuilt()).toBe(true);
    await write('apps/console/src/main.tsx', 'one');
    expect(isRebuilt()).toBe(true);
  });

  it('that fails leaves the one before in its place, and is tried again', async () => {
    isRebuilt();
    await write('apps/console/src/main.tsx', 'two');
    const build = (into: string) => {
      writeFileSync(join(into, 'index.html'), 'half');
      throw new Error('failed');
    };
    expect(() => buildConsole({ root, build })).toThrow('failed');
    expect(await readFile(join(root, 'apps/console/dist/index.html'), 'utf8')).toBe('build 1');
    expect(await readdir(join(root, 'apps/console/node_modules'))).toEqual(['vite']);
    expect(isRebuilt()).toBe(true);
  });
});

it('every text of a build is beside itself with Brotli and gzip, unless that is longer', async () => {
  const text = '<p>Roster</p>'.repeat(500);
  await write('out/index.html', text);
  await write('out/assets/a.js', text);
  await write('out/assets/tiny.js', 'a');
  await write('out/assets/a.png', text);
  await precompress().writeBundle({ dir: join(root, 'out') });
  for (const path of ['index.html', 'assets/a.js']) {
    const file = join(root, 'out', path);
    expect(brotliDecompressSync(await readFile(`${file}.br`)).toString()).toBe(text);
    expect(gunzipSync(await readFile(`${file}.gz`)).toString()).toBe(text);
  }
  for (const path of ['assets/tiny.js', 'assets/a.png'])
    for (const extension of ['.br', '.gz'])
      expect(existsSync(join(root, 'out', path + extension))).toBe(false);
});
