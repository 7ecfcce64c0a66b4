// Installs the workspace with the pnpm that package.json names, on a machine that has only Node and npm.
// Plain JavaScript for Node 20: this runs before the project's own runtime is there.
// With a directory it installs what has a lockfile of its own there (`apps/bench`).
// Does nothing when the lockfile is the one last installed, so a second start loses no time.
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';

const workspace = new URL('..', import.meta.url);
const root = new URL(`${process.argv[2] ?? '.'}/`, workspace);
const lockfile = new URL('pnpm-lock.yaml', root);
const installed = new URL('node_modules/.installed-lock.yaml', root);

/** The text of a file, or undefined where there is none. */
function read(url) {
  try {
    return readFileSync(url, 'utf8');
  } catch {
    return undefined;
  }
}

if (read(installed) !== read(lockfile)) {
  const { packageManager } = JSON.parse(read(new URL('package.json', workspace)));
  const { status, error } = spawnSync(
    'npx',
    ['--yes', packageManager, 'install', '--frozen-lockfile', '--reporter=append-only'],
    // The data of a command goes to stdout, so what the installer says goes to stderr.
    { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' },
  );
  if (error) throw error;
  if (status === 0) copyFileSync(lockfile, installed);
  process.exitCode = status ?? 1;
}
