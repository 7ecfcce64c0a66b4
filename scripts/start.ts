// Run by `npm start`, after scripts/install.mjs: builds the console if it is stale, and becomes the server.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { MALLOC_SETTINGS, NODE_FLAGS } from '../apps/server/scripts/memory-flags.ts';
import { buildConsole } from './packaging/console.ts';

const apps = join(import.meta.dirname, '../apps');

/** Moves what npm has printed above the screen, where it can be scrolled to, so that a terminal shows the lines of Roster alone. */
function clearScreen({ isTTY, rows }: typeof process.stdout): void {
  if (isTTY && !process.env.CI) process.stdout.write(`${'\n'.repeat(rows)}\x1b[H\x1b[J`);
}

/** Builds the console if it is stale. A service without its page is better than none: a failure is printed. */
function buildPage(): void {
  if (!existsSync(join(apps, 'console/dist')))
    process.stderr.write('Building the console; that takes some seconds, once.\n');
  try {
    buildConsole();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
  }
}

clearScreen(process.stdout);
buildPage();
const endWithParent = join(import.meta.dirname, 'processes/end-with-parent.ts');
const main = join(apps, 'server/src/main.ts');
const command = [process.execPath, ...NODE_FLAGS, `--import=${pathToFileURL(endWithParent)}`, main];
const environment = { ...process.env, ...MALLOC_SETTINGS };
if (process.platform === 'win32') {
  const { status } = spawnSync(process.execPath, command.slice(1), { stdio: 'inherit', env: environment });
  process.exitCode = status ?? 1;
} else process.execve?.(process.execPath, command, environment);
