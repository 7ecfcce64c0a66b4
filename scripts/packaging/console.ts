// Builds the console, unless it is built from what is there: `npm test` and the bundle of the server come here.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { buildOnce, isBuilt, STAMP } from './build-once.ts';

const workspace = join(import.meta.dirname, '../..');
const CONSOLE = 'apps/console';
/** The packages of the workspace whose code is in the page. */
export const bundledPackages = ['packages/client', 'packages/contract', 'packages/fields', 'packages/import'];
const inputs = [
  CONSOLE,
  ...bundledPackages.flatMap((folder) => [`${folder}/package.json`, `${folder}/src`]),
  'packages/contract/generated/fields.json',
  'samples',
  'scripts/packaging',
  'pnpm-lock.yaml',
  'tsconfig.base.json',
];

/** Builds the console of a workspace with what `build` does in a directory; see `buildOnce`. */
export function buildConsole({ root = workspace, build = runVite } = {}) {
  return buildOnce({ root, app: CONSOLE, output: 'dist', inputs, build });
}

/** Whether the bundle of a server in a directory has the console of the current sources. */
export function hasConsole(bundle: string, root = workspace): boolean {
  return isBuilt({ root, inputs }, join(bundle, 'console'));
}

/** Builds the console, and puts it into the bundle of a server, which may run: it serves the old page, then the new one. */
export function addConsole(bundle: string): void {
  const { directory } = buildConsole();
  const target = join(bundle, 'console');
  const stampOf = (folder: string) =>
    existsSync(join(folder, STAMP)) ? readFileSync(join(folder, STAMP), 'utf8') : undefined;
  if (stampOf(target) === stampOf(directory)) return;
  // Beside the bundle, whose files a server may list.
  const fresh = mkdtempSync(join(dirname(bundle), `.${basename(bundle)}-console-`));
  const [added, replaced] = [join(fresh, 'new'), join(fresh, 'old')];
  cpSync(directory, added, { recursive: true });
  if (existsSync(target)) renameSync(target, replaced);
  renameSync(added, target);
  rmSync(fresh, { recursive: true });
}

function runVite(directory: string): void {
  const folder = join(workspace, CONSOLE);
  const vite = join(folder, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', '--logLevel', 'warn', '--outDir', directory, '--emptyOutDir'];
  const { status, error } = spawnSync(process.execPath, args, {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0) throw new Error('The build of the console has failed.', { cause: error });
}

if (import.meta.main) buildConsole();
