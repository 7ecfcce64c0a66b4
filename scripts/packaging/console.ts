// Builds the console, unless it is built from what is there: `npm test` and the bundle of the server come here.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { buildOnce } from './build-once.ts';

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
