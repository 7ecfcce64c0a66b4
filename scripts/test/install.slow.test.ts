import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';

const root = dirname(dirname(import.meta.dirname));
const text = (path: string) => readFile(join(root, path), 'utf8');

interface NpmLock {
  packages: Record<string, { version?: string; integrity?: string }>;
}

let lock: NpmLock;
beforeAll(async () => {
  lock = JSON.parse(await text('scripts/pnpm/package-lock.json'));
});

/** The binaries of pnpm that the lockfile of npm names, without the entry of the package itself. */
const binaries = () => Object.entries(lock.packages).filter(([path]) => path !== '');

describe('pnpm', () => {
  it('is one version everywhere, and every hash is that of the lockfile of the workspace', async () => {
    const { packageManager } = JSON.parse(await text('package.json'));
    const { catalog } = parse(await text('pnpm-workspace.yaml'));
    const { packages } = parse(await text('pnpm-lock.yaml'));
    const integrityOf = (name: string): string =>
      packages[`${name}@${catalog.pnpm}`].resolution.integrity.replace('sha512-', '');
    const hash = Buffer.from(integrityOf('pnpm'), 'base64').toString('hex');
    expect(packageManager).toBe(`pnpm@${catalog.pnpm}+sha512.${hash}`);
    expect(binaries().length).toBeGreaterThan(0);
    for (const [path, { version, integrity }] of binaries()) {
      expect(version).toBe(catalog.pnpm);
      expect(integrity).toBe(`sha512-${integrityOf(path.replace('node_modules/', ''))}`);
    }
  });

  it('chooses optional packages for the runtime that the catalog pins', async () => {
    const { catalog, nodeVersion } = parse(await text('pnpm-workspace.yaml'));
    expect(nodeVersion).toBe(catalog.node);
  });
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

/** A workspace of which nothing is there but the installer, with programs in the places of pnpm and of the generator. */
async function workspaceWith(pnpm: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'roster-install-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'node_modules'));
  for (const path of [
    'scripts/install.mjs',
    'scripts/packaging/contract.mjs',
    'scripts/pnpm/package-lock.json',
    'package.json',
    'pnpm-lock.yaml',
  ]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await cp(join(root, path), join(folder, path));
  }
  for (const [path] of binaries()) {
    const binary = join(folder, 'scripts/pnpm', path, 'pnpm');
    await mkdir(dirname(binary), { recursive: true });
    await writeFile(binary, pnpm, { mode: 0o755 });
  }
  await mkdir(join(folder, dirname(GENERATOR)), { recursive: true });
  await writeFile(join(folder, GENERATOR), generator);
  const installed = join(folder, 'scripts/pnpm/node_modules/.installed-lock.json');
  await cp(join(folder, 'scripts/pnpm/package-lock.json'), installed);
  return folder;
}

/** Runs the installation of a part, or of everything. */
function install(folder: string, part?: string) {
  const args = [join(folder, 'scripts/install.mjs'), part].filter((arg) => arg !== undefined);
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
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
    for (const part of asked) expect(install(folder, part || undefined).status).toBe(0);
    const running = `${whole} --prod --filter=roster-workspace --filter=@roster/server... --filter=@roster/cli...`;
    expect(await calls()).toEqual([running, `${running} --filter=@roster/console...`, whole]);
    await writeFile(lockfile, `${await readFile(lockfile, 'utf8')}# changed`);
    expect(install(folder, '--running').status).toBe(0);
    expect((await calls()).slice(3)).toEqual([whole]);
  });

  it('for npm start has what the application of the README imports', async () => {
    const { dependencies } = JSON.parse(await text('package.json'));
    const { publicHoistPattern } = parse(await text('pnpm-workspace.yaml'));
    const imports = [...(await text('README.md')).matchAll(/^import .* from '([^']+)';$/gm)].map(
      ([, name = '']) => name,
    );
    expect(imports.length).toBeGreaterThan(0);
    expect([...Object.keys(dependencies), ...publicHoistPattern]).toEqual(expect.arrayContaining(imports));
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
