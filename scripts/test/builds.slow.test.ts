import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { buildConsole, bundledPackages } from '../packaging/console.ts';
import { precompress } from '../packaging/precompress.ts';
import { buildServer } from '../packaging/server.ts';

let root: string;
let count: number;

const write = async (path: string, text: string) => {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
};

const builds = [
  { name: 'the console', make: buildConsole, app: 'apps/console', output: 'apps/console/dist' },
  { name: 'the server', make: buildServer, app: 'apps/server', output: 'apps/server/bundle' },
];

/** Builds an application of the workspace of a test, and says whether that was necessary. */
function isRebuilt({ make, output }: (typeof builds)[number]): boolean {
  const { directory, isNew } = make({
    root,
    build: (into) => {
      count += 1;
      writeFileSync(join(into, 'index'), `build ${count}`);
    },
  });
  expect(directory).toBe(join(root, output));
  return isNew;
}

beforeEach(async () => {
  count = 0;
  root = await mkdtemp(join(tmpdir(), 'roster-console-build-'));
  const created = root;
  onTestFinished(() => rm(created, { recursive: true, force: true }));
  await write('apps/console/src/main.tsx', 'one');
  for (const { app } of builds) await write(`${app}/node_modules/tool/package.json`, '{}');
  await write('apps/server/src/main.ts', 'one');
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

describe.each(builds)('the build of $name', (one) => {
  const { make, app, output } = one;

  it('is made once, and left alone while its inputs are the same', async () => {
    expect([isRebuilt(one), isRebuilt(one), isRebuilt(one)]).toEqual([true, false, false]);
    expect(await readFile(join(root, output, 'index'), 'utf8')).toBe('build 1');
    expect(await readdir(join(root, app, 'node_modules'))).toEqual(['tool']);
  });

  it.each([
    [`${app}/src/main.tsx`, 'two', true],
    [`${app}/src/other.tsx`, 'new', true],
    [`${app}/build.config.ts`, 'new', true],
    ['packages/client/src/client.ts', 'two', true],
    ['pnpm-lock.yaml', 'two', true],
    [`${app}/test/main.test.ts`, 'new', false],
    [`${app}/src/main.test.tsx`, 'new', false],
    [`${app}/.messages-1/src/main.tsx`, 'new', false],
    [`${app}/node_modules/tool/index.js`, 'new', false],
    ['apps/cli/src/main.ts', 'new', false],
    ['apps/server/src/main.ts', 'two', app === 'apps/server'],
    ['apps/console/src/main.tsx', 'two', app === 'apps/console'],
    ['packages/api/src/router.ts', 'new', app === 'apps/server'],
  ])('when %s changes it is made again: %s %s', async (path, text, isExpected) => {
    isRebuilt(one);
    await write(path, text);
    expect(isRebuilt(one)).toBe(isExpected);
  });

  it('is made again when it was removed, or when its inputs are what they were before', async () => {
    isRebuilt(one);
    await rm(join(root, output), { recursive: true });
    expect(isRebuilt(one)).toBe(true);
    await rm(join(root, 'packages/client/src/client.ts'));
    expect(isRebuilt(one)).toBe(true);
    await write('packages/client/src/client.ts', 'one');
    expect(isRebuilt(one)).toBe(true);
  });

  it('that fails leaves the one before in its place, and is tried again', async () => {
    isRebuilt(one);
    await write('packages/client/src/client.ts', 'two');
    const build = (into: string) => {
      writeFileSync(join(into, 'index'), 'half');
      throw new Error('failed');
    };
    expect(() => make({ root, build })).toThrow('failed');
    expect(await readFile(join(root, output, 'index'), 'utf8')).toBe('build 1');
    expect(await readdir(join(root, app, 'node_modules'))).toEqual(['tool']);
    expect(isRebuilt(one)).toBe(true);
  });

  it('that is killed leaves the one before in its place, and is tried again', async () => {
    isRebuilt(one);
    await write('packages/client/src/client.ts', 'two');
    const module = join(import.meta.dirname, `../packaging/${app.slice('apps/'.length)}.ts`);
    const program = `
      import { writeFileSync } from 'node:fs';
      import { ${make.name} } from ${JSON.stringify(module)};
      ${make.name}({ root: ${JSON.stringify(root)}, build: (into) => {
        writeFileSync(into + '/index', 'half');
        process.kill(process.pid, 'SIGKILL');
      } });`;
    const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', program]);
    expect(signal).toBe('SIGKILL');
    expect(await readFile(join(root, output, 'index'), 'utf8')).toBe('build 1');
    expect(isRebuilt(one)).toBe(true);
    expect(await readFile(join(root, output, 'index'), 'utf8')).toBe('build 2');
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
