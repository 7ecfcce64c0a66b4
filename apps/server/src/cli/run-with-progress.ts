import process from 'node:process';
import { LocalPostgresUnavailable } from '@roster/db';
import { BackupError } from '@roster/db/backup';
import { ConfigError } from '../config/config.ts';
import { problemLines } from '../diagnostics/index.ts';
import { progressLine } from '../processes/progress-line.ts';
import { exitCodeOf, listenForStop } from '../processes/stop-signals.ts';
import { UsageError } from './args.ts';
import { Interrupted, type ProcessCommand } from './process-io.ts';

/**
 * Runs a backup or a restore with the streams and signals of this process, and shows its progress if stderr is a terminal.
 *
 * @param argv the arguments after the name of the command
 * @returns the exit code: 2 for invalid arguments, 130 or 143 after a signal, 1 for any other failure, whose message is printed
 */
export async function runWithProgress(
  command: ProcessCommand,
  argv: string[],
  environment: Record<string, string | undefined>,
): Promise<number> {
  const interruption = new AbortController();
  const stopListening = listenForStop(
    (signal) => interruption.abort(new Interrupted(signal)),
    (signal) => process.exit(exitCodeOf(signal)),
  );
  const progress = progressLine(process.stderr);
  const printError = (line: string) => {
    progress.clear();
    process.stderr.write(`${line}\n`);
  };
  try {
    const { stdin, stdout } = process;
    const showProgress = process.stderr.isTTY ? progress.show : undefined;
    return await command({
      argv,
      environment,
      stdin,
      stdout,
      printError,
      showProgress,
      signal: interruption.signal,
    });
  } catch (error) {
    const { line, exitCode } = await explain(error, environment);
    printError(line);
    return exitCode;
  } finally {
    stopListening();
  }
}

/** The message of an error, and the exit code that it leads to. */
async function explain(
  error: unknown,
  environment: Record<string, string | undefined>,
): Promise<{ line: string; exitCode: number }> {
  if (error instanceof Interrupted) return { line: `Stopped: ${error.message}.`, exitCode: error.exitCode };
  if (error instanceof UsageError) return { line: error.message, exitCode: 2 };
  const isExpected =
    error instanceof BackupError || error instanceof ConfigError || error instanceof LocalPostgresUnavailable;
  if (isExpected) return { line: error.message, exitCode: 1 };
  const problems = await problemLines(environment, 'backup').catch(() => []);
  if (problems.length > 0) return { line: problems.join('\n'), exitCode: 1 };
  // The message of a system error names the path and the reason.
  if (error instanceof Error && 'syscall' in error) return { line: error.message, exitCode: 1 };
  return { line: `This should not happen: ${error instanceof Error ? error.stack : error}`, exitCode: 1 };
}
