#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { Io } from './io.ts';

const COLUMNS_DEFAULT = 80;
const INTERRUPTED = 130;

/** The process as commands see it. */
function processIo(): Io {
  const { stdout, stderr, stdin, env } = process;
  const isTerminal = stdout.isTTY === true;
  const isPlain = (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb';
  return {
    stdout,
    stderr,
    stdin,
    isTerminal,
    isInteractive: stdin.isTTY === true,
    columns: stdout.columns ?? COLUMNS_DEFAULT,
    color: isTerminal && stderr.isTTY === true && !isPlain,
  };
}

/** Who reads our output may stop early, as `head` does: then there is nothing left to do. */
function endQuietlyWhenClosed(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}

/** Fires at the first Ctrl-C; the second one ends the process the hard way. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort());
  return controller.signal;
}

/** Compiled code is kept between runs, in the user's own cache: without it a start costs three times as much. */
function keepCompiledCode(): void {
  const { XDG_CACHE_HOME = '' } = process.env;
  enableCompileCache(join(XDG_CACHE_HOME === '' ? join(homedir(), '.cache') : XDG_CACHE_HOME, 'roster'));
}

async function main(): Promise<void> {
  keepCompiledCode();
  // Imported only now, so that it comes out of the cache.
  const { run } = await import('./run.ts');
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  endQuietlyWhenClosed(process.stdout);
  endQuietlyWhenClosed(process.stderr);
  const code = await run(process.argv.slice(2), {
    io: processIo(),
    env: process.env,
    cwd: process.cwd(),
    signal: interruption(),
    version,
  });
  // A terminal that is still being read would keep the process alive.
  if (code === INTERRUPTED) process.exit(code);
  process.exitCode = code;
}

await main();
