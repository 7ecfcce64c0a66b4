import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);
const root = dirname(import.meta.dirname);
const bin = (name: string) => join(root, 'node_modules/.bin', name);

/** In the order in which they build: each needs the declarations of those before it. */
const folders = ['packages/db', 'packages/api', 'packages/client', 'apps/server', 'apps/cli'];

interface Manifest {
  name: string;
  version: string;
  dependencies: Record<string, string>;
  exports?: Record<string, unknown>;
}

let home: string;
const packed = new Map<string, Manifest>();

/** Builds a package, packs it, and lays the packed files out as an installation would. */
async function install(folder: string): Promise<void> {
  const source = join(root, folder);
  await run(bin('tsc'), ['-p', 'tsconfig.build.json'], { cwd: source });
  const { stdout } = await run(bin('pnpm'), ['pack', '--json', '--pack-destination', home], { cwd: source });
  const { filename, name } = JSON.parse(stdout) as { filename: string; name: string };
  const target = join(home, 'node_modules', name);
  await mkdir(target, { recursive: true });
  await run('tar', ['-xzf', filename, '--strip-components=1', '-C', target]);
  const manifest: Manifest = JSON.parse(await readFile(join(target, 'package.json'), 'utf8'));
  packed.set(name, manifest);
  const foreign = Object.keys(manifest.dependencies).filter(
    (dependency) => !dependency.startsWith('@roster/'),
  );
  for (const dependency of foreign) {
    const link = join(target, 'node_modules', dependency);
    await mkdir(dirname(link), { recursive: true });
    await symlink(await realpath(join(source, 'node_modules', dependency)), link);
  }
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'roster-pack-'));
  for (const folder of folders) await install(folder);
}, 120_000);

afterAll(() => rm(home, { recursive: true, force: true }));

it('packs versions where the workspace has ranges of its own', () => {
  expect(packed.size).toBe(folders.length);
  for (const { dependencies } of packed.values()) {
    for (const range of Object.values(dependencies)) expect(range).toMatch(/^\d/);
  }
});

it('imports every packed door, as JavaScript, without the sources', async () => {
  const doors = ['@roster/db', '@roster/api', '@roster/api/hosting', '@roster/client', '@roster/server'];
  const script = doors.map(
    (door) => `if (Object.keys(await import('${door}')).length === 0) process.exit(3);`,
  );
  await writeFile(join(home, 'doors.mjs'), script.join('\n'));
  await run(bin('node'), ['doors.mjs'], { cwd: home });
});

it('gives an application every type, and never asks its compiler for the database', async () => {
  const api = join(home, 'node_modules/@roster/api/node_modules');
  await rm(join(api, 'kysely'), { recursive: true });
  await writeFile(
    join(home, 'application.ts'),
    `import { createRosterClient } from '@roster/client';
    const client = createRosterClient({ url: 'http://127.0.0.1:1' });
    export async function names(): Promise<string[]> {
      const { items } = await client.offices.list.query({ status: 'active', limit: 5 });
      return items.map((office) => office.name);
    }
    // @ts-expect-error an office has no such field
    export const wrong = async () => (await client.offices.get.query({ id: '' })).nmae;`,
  );
  const options = [
    '--strict',
    '--noEmit',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--types',
    '',
    '--lib',
    'es2024,esnext.disposable,dom',
  ];
  const { stdout } = await run(bin('tsc'), [...options, '--skipLibCheck', 'false', 'application.ts'], {
    cwd: home,
  }).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
});

it('runs the packed command', async () => {
  const { stdout } = await run(bin('node'), [join(home, 'node_modules/@roster/cli/dist/main.js'), '--help']);
  expect(stdout).toContain('offices');
});
