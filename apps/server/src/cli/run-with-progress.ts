import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { BackupError } from '@roster/db/backup';
import { exitCodeOf, listenForStop } from '../stop-signals.ts';
import { CommandError, type Invocation } from './command.ts';
import { progressLine } from './progress-line.ts';

/** The call of a command that may take long, with the streams of the process that runs it. */
export interface LongInvocation extends Pick<Invocation, 'args' | 'environment' | 'printError'> {
  stdin: Readable;
  stdout: Writable & { isTTY?: boolean };
  /** Shows the progress in one line, which replaces the previous one; undefined if stderr is not a terminal. */
  showProgress: ((line: string) => void) | undefined;
  /** Aborts when the process gets a signal to stop, with a `CommandError` as the reason. */
  signal: AbortSignal;
}

/** A backup or a restore. */
export type LongCommand = (invocation: LongInvocation) => Promise<void>;

/**
 * Runs a backup or a restore with the streams and signals of this process, and shows its progress if stderr is a terminal.
 *
 * @throws CommandError, with the exit code 130 or 143 after a signal
 */
export async function runWithProgress(
  command: LongCommand,
  { args, environment, printError }: Invocation,
): Promise<number> {
  const interruption = new AbortController();
  const stopListening = listenForStop(
    (signal) =>
      interruption.abort(new CommandError(`Stopped: interrupted by ${signal}.`, exitCodeOf(signal))),
    (signal) => process.exit(exitCodeOf(signal)),
  );
  const { stdin, stdout, stderr } = process;
  const progress = progressLine(stderr);
  try {
    await command({
      args,
      environment,
      printError: (line) => {
        progress.clear();
        printError(line);
      },
      stdin,
      stdout,
      showProgress: stderr.isTTY ? progress.show : undefined,
      signal: interruption.signal,
    });
    return 0;
  } catch (error) {
    throw error instanceof BackupError ? new CommandError(error.message) : error;
  } finally {
    progress.clear();
    stopListening();
  }
}
