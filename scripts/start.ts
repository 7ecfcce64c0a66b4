// Run by `npm start`, after scripts/install.mjs: builds what is deployed if it is stale, and becomes the server.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { MALLOC_SETTINGS, NODE_FLAGS } from '../apps/server/scripts/memory-flags.ts';
import { buildServer } from './packaging/server.ts';

const server = join(import.meta.dirname, '../apps/server');

/** Moves what npm has printed above the screen, where it can be scrolled to, so that a terminal shows the lines of Roster alone. */
function clearScreen({ isTTY, rows }: typeof process.stdout): void {
  if (isTTY && !process.env.CI) process.stdout.write(`${'\n'.repeat(rows)}\x1b[H\x1b[J`);
}

/** The program: the bundle, or the source if it can't be built, which needs more memory and may lack the console. */
function builtProgram(): string {
  if (!existsSync(join(server, 'bundle')))
    process.stderr.write('Building Roster; that takes some seconds, once.\n');
  try {
    return join(buildServer().directory, 'main.js');
  } catch (error) {
    process.stderr.write(`${(error as Error).message} Roster runs from its source.\n`);
    return join(server, 'src/main.ts');
  }
}

clearScreen(process.stdout);
const endWithParent = join(import.meta.dirname, 'processes/end-with-parent.mjs');
const main = builtProgram();
const command = [process.execPath, ...NODE_FLAGS, `--import=${pathToFileURL(endWithParent)}`, main];
const environment = { ...process.env, ...MALLOC_SETTINGS };
if (process.platform === 'win32') {
  const { status } = spawnSync(process.execPath, command.slice(1), { stdio: 'inherit', env: environment });
  process.exitCode = status ?? 1;
} else process.execve?.(process.execPath, command, environment);
