// Builds the bundle of the server with the console in it, unless it is built from what is there, for what deploys the server.
// `npm start` builds it without the console, and adds that while the server runs.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { buildOnce } from './build-once.ts';
import { addConsole } from './console.ts';

const workspace = join(import.meta.dirname, '../..');
const SERVER = 'apps/server';
const inputs = [SERVER, 'packages', 'samples', 'scripts/packaging', 'pnpm-lock.yaml', 'tsconfig.base.json'];

/** Builds the server of a workspace, without the console, with what `build` does in a directory; see `buildOnce`. */
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

if (import.meta.main) addConsole(buildServer().directory);
