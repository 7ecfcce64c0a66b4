import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';

const root = dirname(dirname(import.meta.dirname));
const text = (path: string) => readFile(join(root, path), 'utf8');

/** The packages of each program that its lockfile of npm names, with their versions and hashes. */
async function packagesOf(program: 'node' | 'pnpm') {
  const lock: { packages: Record<string, { version?: string; integrity?: string }> } = JSON.parse(
    await text(`scripts/${program}/package-lock.json`),
  );
  return Object.entries(lock.packages).filter(([path]) => path !== '');
}

it('Node and pnpm have one version everywhere, and every package of theirs a hash', async () => {
  const { packageManager } = JSON.parse(await text('package.json'));
  const { nodeVersion } = parse(await text('pnpm-workspace.yaml'));
  const named = { node: nodeVersion, pnpm: packageManager.replace('pnpm@', '') };
  for (const program of ['node', 'pnpm'] as const) {
    const packages = await packagesOf(program);
    expect(packages.length).toBeGreaterThan(1);
    for (const [, { version, integrity }] of packages) {
      expect(version).toBe(named[program]);
      expect(integrity).toMatch(/^sha512-/);
    }
  }
});

const GENERATOR = 'packages/contract/scripts/generate.ts';
const GENERATED = 'packages/contract/generated/contract.json';
/** A generator that counts how often it runs, and copies the one schema. */
const generator = `
import { appendFileSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
process.chdir(import.meta.dirname + '/../../..');
mkdirSync('packages/contract/generated', { recursive: true });
appendFileSync('runs', '.');
copyFileSync('pnpm-lock.yaml', '${GENERATED}');
writeFileSync('packages/contract/generated/.outputs', '${GENERATED}');
`;

/** A workspace of which nothing is there but the installer, with an npm that brings a program in the place of pnpm, and a generator. */
async function workspaceWith(pnpm: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'roster-install-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const write = async (path: string, content: string, mode?: number) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content, { mode });
  };
  for (const path of [
    'scripts/install.mjs',
    'scripts/packaging/contract.mjs',
    'scripts/node/package-lock.json',
    'scripts/pnpm/package-lock.json',
    'package.json',
    'pnpm-lock.yaml',
  ])
    await write(path, await text(path));
  const node = `#!/bin/sh\nexec '${process.execPath}' "$@"\n`;
  for (const [program, file, content] of [
    ['node', 'bin/node', node],
    ['pnpm', 'pnpm', pnpm],
  ] as const)
    for (const [path] of await packagesOf(program))
      await write(join('scripts', program, path.replace('node_modules', 'programs'), file), content, 0o755);
  await write('bin/npm', '#!/bin/sh\necho "$@" >> npm\ncp -r programs node_modules\n', 0o755);
  await write(GENERATOR, generator);
  return folder;
}

/** Runs the installation of a part, or of everything, with a Node of a version, which may be in the workspace. */
function install(folder: string, part = '', version = '24.20.0', node = process.execPath) {
  const preload = `process.execPath = '${node}'; Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;
  const args = [
    `--import=data:text/javascript,${encodeURIComponent(preload)}`,
    join(folder, 'scripts/install.mjs'),
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, part ? [...args, part] : args, {
    encoding: 'utf8',
    env: { PATH: `${folder}/bin:${process.env.PATH}` },
  });
  return { status, stdout, stderr };
}

describe('the installation', () => {
  it('prints one line when it succeeds, whatever pnpm warns of, and nothing when there is nothing to install', async () => {
    const folder = await workspaceWith(
      '#!/bin/sh\necho "[WARN] Unsupported engine"\necho "npm warn EBADENGINE" >&2\n',
    );
    const line = 'Installing what Roster needs. The first time takes about half a minute.\n';
    expect(install(folder)).toEqual({ status: 0, stdout: '', stderr: line });
    expect(install(folder)).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('is of what runs for npm start, then of what builds the console, of everything for npm test, and of everything from then on', async () => {
    const folder = await workspaceWith('#!/bin/sh\necho "$@" >> calls\n');
    const lockfile = join(folder, 'pnpm-lock.yaml');
    const whole = 'install --frozen-lockfile --reporter=append-only --config.minimumReleaseAge=0';
    const calls = async () => (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n');
    const asked = ['--running', '--running', '--console', '--running', '', '--running', '--console', ''];
    for (const part of asked) expect(install(folder, part).status).toBe(0);
    const running = `${whole} --prod --filter=@roster/server... --filter=@roster/cli...`;
    expect(await calls()).toEqual([running, `${running} --filter=@roster/console...`, whole]);
    await writeFile(lockfile, `${await readFile(lockfile, 'utf8')}# changed`);
    expect(install(folder, '--running').status).toBe(0);
    expect((await calls()).slice(3)).toEqual([whole]);
  });

  it('brings a Node only where that of the machine is too old, and the one that is named from then on', async () => {
    const folder = await workspaceWith('#!/bin/sh\n');
    const brought = () =>
      readFile(join(folder, 'scripts/node/npm'), 'utf8').then(
        (calls) => calls.split('\n').length - 1,
        () => 0,
      );
    const counts: number[] = [];
    for (const version of ['24.20.0', '26.0.0', '24.19.1', '22.23.1', '26.0.0']) {
      expect(install(folder, '--running', version)).toMatchObject({ status: 0 });
      counts.push(await brought());
    }
    const lockfile = join(folder, 'scripts/node/package-lock.json');
    await writeFile(lockfile, `${await readFile(lockfile, 'utf8')}\n`);
    install(folder, '--running', '26.0.0');
    install(folder, '--running', '26.0.0', join(folder, 'node_modules/node/bin/node'));
    expect([...counts, await brought()]).toEqual([0, 0, 1, 1, 1, 2]);
  });

  it('keeps pnpm where it has installed everything, and not where Roster only runs', async () => {
    const folder = await workspaceWith('#!/bin/sh\n');
    const programs = () => readdir(join(folder, 'node_modules/.bin'));
    install(folder, '--running');
    expect(await programs()).toEqual([]);
    install(folder);
    expect(await programs()).toEqual(['pnpm']);
  });

  it('for npm start has what the application of the README imports', async () => {
    const { publicHoistPattern } = parse(await text('pnpm-workspace.yaml'));
    const imports = [...(await text('README.md')).matchAll(/^import .* from '([^']+)';$/gm)].map(
      ([, name = '']) => name,
    );
    expect(imports.length).toBeGreaterThan(0);
    expect(publicHoistPattern).toEqual(expect.arrayContaining(imports));
  });

  it('prints all that pnpm said when it fails, and tries again the next time', async () => {
    const folder = await workspaceWith('#!/bin/sh\necho "[ERROR] No space left"\nexit 3\n');
    for (let time = 0; time < 2; time += 1) {
      const { status, stderr } = install(folder);
      expect(status).toBe(1);
      expect(stderr).toMatch(/^Installing.*\n\[ERROR\] No space left\nThe installation failed: .*\n$/);
    }
  });
});

describe('the contract', () => {
  const quiet = { status: 0, stdout: '', stderr: '' };
  const runs = async (folder: string) => (await readFile(join(folder, 'runs'), 'utf8')).length;

  it('is generated by the installation, and left alone while what it follows from is the same', async () => {
    const folder = await workspaceWith('#!/bin/sh\n');
    expect(install(folder)).toMatchObject({ status: 0 });
    expect([install(folder), install(folder)]).toEqual([quiet, quiet]);
    expect(await runs(folder)).toBe(1);
  });

  it('is generated again if a schema, the generator or a generated file is another one, or a file is missing', async () => {
    const folder = await workspaceWith('#!/bin/sh\n');
    install(folder);
    const changes = [
      () => mkdir(join(folder, 'packages/api/src/directory/offices'), { recursive: true }),
      () => writeFile(join(folder, 'packages/api/src/directory/offices/schemas.ts'), 'export {};'),
      () => writeFile(join(folder, 'packages/api/src/directory/offices/schemas.test.ts'), 'export {};'),
      () => writeFile(join(folder, GENERATOR), `${generator}// changed`),
      () => writeFile(join(folder, GENERATED), 'changed'),
      () => rm(join(folder, GENERATED)),
    ];
    const counts: number[] = [];
    for (const change of changes) {
      await change();
      expect(install(folder)).toEqual(quiet);
      counts.push(await runs(folder));
    }
    // An empty folder and a test change nothing.
    expect(counts).toEqual([1, 2, 2, 3, 4, 5]);
    expect(await readFile(join(folder, GENERATED), 'utf8')).toBe(await text('pnpm-lock.yaml'));
  });

  it('fails the installation with the reason if it cannot be generated, and is tried again the next time', async () => {
    const folder = await workspaceWith('#!/bin/sh\n');
    await writeFile(join(folder, GENERATOR), 'throw new Error("The schema has no kind");');
    for (let time = 0; time < 2; time += 1) {
      const { status, stderr } = install(folder);
      expect(status).toBe(1);
      expect(stderr).toContain('The schema has no kind');
      expect(stderr).toMatch(/The contract could not be generated .*\n$/);
    }
  });
});

it('an installation by npm fails and installs nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roster-install-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const path of ['package.json', '.npmrc']) await cp(join(root, path), join(folder, path));
  const { status, stderr } = spawnSync('npm', ['install', '--offline'], {
    cwd: folder,
    encoding: 'utf8',
    // What `npm test` tells its children would make npm install there.
    env: { PATH: process.env.PATH, HOME: folder },
    shell: process.platform === 'win32',
  });
  expect(status).not.toBe(0);
  expect(stderr).toContain('catalog:');
  expect(await readdir(folder)).not.toContain('node_modules');
});
