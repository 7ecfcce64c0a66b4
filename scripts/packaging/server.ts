// Builds the bundle of the server, unless it is built from what is there: `npm start` and what deploys the server come here.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { buildOnce } from './build-once.ts';

const workspace = join(import.meta.dirname, '../..');
const SERVER = 'apps/server';
/** The console is in the bundle. */
const inputs = [
  SERVER,
  'apps/console',
  'packages',
  'samples',
  'scripts/packaging',
  'pnpm-lock.yaml',
  'tsconfig.base.json',
];

/** Builds the server of a workspace with what `build` does in a directory; see `buildOnce`. */
export function buildServer({ root = workspace, build = runRolldown } = {}) {
  return buildOnce({ root, app: SERVER, output: 'bundle', inputs, build });
}

function runRolldown(directory: string): void {
  const folder = join(workspace, SERVER);
  const rolldown = join(folder, 'node_modules/rolldown/bin/cli.mjs');
  const args = [rolldown, '-c', 'rolldown.config.ts', '--dir', directory];
  // It prints the files that it has made.
  const stdio = ['ignore', 'ignore', 'inherit'] as const;
  const { status, error } = spawnSync(process.execPath, args, { cwd: folder, stdio: [...stdio] });
  if (status !== 0) throw new Error('The build of the server has failed.', { cause: error });
}

if (import.meta.main) buildServer();
