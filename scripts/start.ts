// Run by `npm start`, after scripts/install.mjs: builds what is deployed if it is stale, has the console prepared, and becomes the server.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { MALLOC_SETTINGS, NODE_FLAGS } from '../apps/server/scripts/memory-flags.ts';
import { hasConsole } from './packaging/console.ts';
import { buildServer } from './packaging/server.ts';

const server = join(import.meta.dirname, '../apps/server');

/** Moves what npm has printed above the screen, where it can be scrolled to, so that a terminal shows the lines of Roster alone. */
function clearScreen({ isTTY, rows }: typeof process.stdout): void {
  if (isTTY && !process.env.CI) process.stdout.write(`${'\n'.repeat(rows)}\x1b[H\x1b[J`);
}

const endWithParent = `--import=${pathToFileURL(join(import.meta.dirname, 'processes/end-with-parent.mjs'))}`;

/** Prepares the console in a process beside the server, which this one becomes. */
function prepareConsole(): void {
  const { HOST = '127.0.0.1', PORT = '3000' } = process.env;
  const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST;
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`;
  const args = [endWithParent, join(import.meta.dirname, 'prepare-console.ts'), address];
  spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] }).unref();
}

/** The program: the bundle, or the source if it can't be built, which needs more memory and may lack the console. */
function builtProgram(): string {
  try {
    const { directory } = buildServer();
    if (process.env.ROSTER_CONSOLE !== 'false' && !hasConsole(directory)) prepareConsole();
    return join(directory, 'main.js');
  } catch (error) {
    process.stderr.write(`${(error as Error).message} Roster runs from its source.\n`);
    return join(server, 'src/main.ts');
  }
}

clearScreen(process.stdout);
const main = builtProgram();
const command = [process.execPath, ...NODE_FLAGS, endWithParent, main];
const environment = { ...process.env, ...MALLOC_SETTINGS };
if (process.platform === 'win32') {
  const { status } = spawnSync(process.execPath, command.slice(1), { stdio: 'inherit', env: environment });
  process.exitCode = status ?? 1;
} else process.execve?.(process.execPath, command, environment);
