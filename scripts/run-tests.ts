// Run by `npm test` and `npm run verify`: runs the command of its arguments, and leaves no process and no file of it. When this process
// ends, by Ctrl-C, SIGTERM, SIGKILL or a closed terminal, so does what the command has started; and it ends when npm does.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import process from 'node:process';
import { openRunDirectory } from '../packages/local-postgres/src/testing/run-directory.ts';
import './processes/end-with-parent.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a command to its end and hands on the signals that this process gets.
 * @returns Its exit code; 128 and the number of the signal if one has ended it, as shells have it.
 */
async function run(command: string, args: readonly string[]): Promise<number> {
  // Windows starts the programs of packages by a shell.
  const child = spawn(command, args, { stdio: 'inherit', shell: process.platform === 'win32' });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return code ?? 128 + constants.signals[signal ?? 'SIGKILL'];
}

const [command = '', ...args] = process.argv.slice(2);
const close = await openRunDirectory();
process.exitCode = await run(command, args);
await close();
