import process from 'node:process';
import manifest from '../package.json' with { type: 'json' };
import { exitCodes } from './errors.ts';
import { run } from './run.ts';
import { openBy, openerOf } from './service/browser.ts';
import { hasColor, type RawIoStreams } from './ui/io-streams.ts';

const COLUMNS_DEFAULT = 80;
const ROWS_DEFAULT = 24;
const SAME_SIGNAL_MS = 1_000;

function processIo(): RawIoStreams {
  const { stdout, stderr, stdin, env } = process;
  const outputOf = (stream: NodeJS.WriteStream) => ({
    write: (text: string) => stream.write(text),
    color: hasColor(env, stream.isTTY === true),
  });
  return {
    stdout: outputOf(stdout),
    stderr: outputOf(stderr),
    stdin,
    screen: stderr,
    isTerminal: stdout.isTTY === true,
    isErrorTerminal: stderr.isTTY === true,
    // A prompt needs a terminal to be drawn on as well.
    isInteractive: stdin.isTTY === true && stderr.isTTY === true,
    size: () => ({ columns: stdout.columns || COLUMNS_DEFAULT, rows: stdout.rows || ROWS_DEFAULT }),
  };
}

/** Exits when the reader of a pipe closes it early, as `head` does. */
function endQuietlyWhenClosed(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}

/**
 * Aborted by the first SIGINT or SIGTERM; a second one exits. `npm run` repeats the signal of a terminal within a second.
 * Ctrl-D in a prompt ends its input, so that nothing keeps the process alive: this aborts the signal too.
 */
function interruption(): AbortSignal {
  const controller = new AbortController();
  let interruptedAt: number | undefined;
  const interrupt = () => {
    interruptedAt ??= performance.now();
    if (performance.now() - interruptedAt >= SAME_SIGNAL_MS) process.exit(exitCodes.interrupted);
    controller.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  process.once('beforeExit', () => controller.abort());
  return controller.signal;
}

async function main(): Promise<void> {
  endQuietlyWhenClosed(process.stdout);
  endQuietlyWhenClosed(process.stderr);
  const code = await run(process.argv.slice(2), {
    io: processIo(),
    env: process.env,
    cwd: process.cwd(),
    signal: interruption(),
    version: manifest.version,
    openUrl: (url) => openBy(openerOf(process.platform, process.env), url),
  });
  // A pending read of the terminal would keep the process alive.
  if (code === exitCodes.interrupted) process.exit(code);
  process.exitCode = code;
}

await main();
