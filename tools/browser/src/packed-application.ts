import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { preview } from 'vite';

const run = promisify(execFile);
const home = join(import.meta.dirname, '..');
const root = join(home, '../..');
/** Inside this package, so that the application finds its libraries. */
const work = join(home, '.generated');
const application = join(work, 'react');
const installed = join(application, 'node_modules/@roster/client');
const bin = (name: string) => join(root, 'node_modules/.bin', name);

/** Builds and packs the client in a copy, because other tests build it in its own folder at the same time. */
async function packClient(): Promise<string> {
  const [source, copy] = [join(root, 'packages/client'), join(work, 'client')];
  for (const name of ['src', 'README.md', 'tsconfig.build.json'])
    await cp(join(source, name), join(copy, name), { recursive: true });
  // The versions that its dependencies name: a copy is outside the workspace, whose catalog they are in.
  await cp(join(root, 'pnpm-workspace.yaml'), join(copy, 'pnpm-workspace.yaml'));
  await symlink(join(source, 'node_modules'), join(copy, 'node_modules'));
  const write = (name: string, content: object) => writeFile(join(copy, name), JSON.stringify(content));
  await write('tsconfig.json', { extends: join(root, 'tsconfig.base.json'), include: ['src'] });
  const manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'));
  // No one installs its development dependencies, some of which are in the workspace. Its scripts, one of which would build it before
  // it is packed, know their way only from its own folder.
  await write('package.json', { ...manifest, devDependencies: {}, scripts: {} });
  await run(bin('tsc'), ['-p', join(copy, 'tsconfig.build.json')]);
  await cp(join(copy, 'src/contract.d.ts'), join(copy, 'dist/contract.d.ts'));
  const { stdout } = await run(bin('pnpm'), ['pack', '--json', '--pack-destination', work], { cwd: copy });
  return (JSON.parse(stdout) as { filename: string }).filename;
}

/** The application, with the packed client among its modules and everything else from the workspace. */
export async function installApplication(): Promise<void> {
  await removeApplication();
  await cp(join(home, 'react'), application, { recursive: true });
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', await packClient(), '--strip-components=1', '-C', installed]);
}

export async function removeApplication(): Promise<void> {
  await rm(work, { recursive: true, force: true });
}

/** What the compiler says of the application and the declarations of all its libraries. */
export async function compileApplication(): Promise<string> {
  const { stdout } = await run(bin('tsc'), ['-p', application]).catch((error: { stdout: string }) => error);
  return stdout;
}

/** Builds it by a process of its own: the NODE_ENV of a test would choose the development build of React. */
export async function buildApplication(): Promise<void> {
  const env = { ...process.env, NODE_ENV: 'production' };
  await run(join(home, 'node_modules/.bin/vite'), ['build', '--logLevel', 'warn'], { cwd: application, env });
}

/** Where a module is that the application imports, the packed client, and a library of tRPC's hooks. */
export function resolveEverywhere(name: string): string[] {
  const from = createRequire(join(application, 'index.js'));
  // The packed client is an ES module only, which a require does not resolve.
  const libraries = [installed, dirname(from.resolve('@trpc/react-query'))];
  return [from, ...libraries.map((library) => createRequire(join(library, 'index.js')))].map((one) =>
    one.resolve(name),
  );
}

/** Serves the built application on a free port. */
export async function serveApplication(): Promise<{ origin: string } & AsyncDisposable> {
  const at = { host: '127.0.0.1', port: 0 };
  const server = await preview({ root: application, logLevel: 'warn', preview: at });
  const { origin } = new URL(server.resolvedUrls?.local[0] ?? '');
  return { origin, [Symbol.asyncDispose]: () => server.close() };
}
