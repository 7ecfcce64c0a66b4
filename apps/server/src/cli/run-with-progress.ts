import process from 'node:process';
import { LocalPostgresUnavailable } from '@roster/db';
import { BackupError } from '@roster/db/backup';
import { ConfigError } from '../config/config.ts';
import { problemLines } from '../diagnostics/index.ts';
import { UsageError } from './args.ts';
import { Interrupted, type Transferring } from './process-io.ts';
import { progressLine } from './progress-line.ts';
import { exitCodeOf, listenForStop } from './stop-signals.ts';

/** Runs a backup or a restore in this process: its streams, its signals. Says what went wrong; returns the exit code. */
export async function runTransfer(
  transferring: Transferring,
  argv: string[],
  environment: Record<string, string | undefined>,
): Promise<number> {
  const interruption = new AbortController();
  const stopListening = listenForStop(
    (signal) => interruption.abort(new Interrupted(signal)),
    (signal) => process.exit(exitCodeOf(signal)),
  );
  const progress = progressLine(process.stderr);
  const say = (line: string) => {
    progress.clear();
    process.stderr.write(`${line}\n`);
  };
  try {
    const { stdin, stdout } = process;
    const sayProgress = process.stderr.isTTY ? progress.show : undefined;
    return await transferring({
      argv,
      environment,
      stdin,
      stdout,
      say,
      sayProgress,
      signal: interruption.signal,
    });
  } catch (error) {
    const { line, exitCode } = await explain(error, environment);
    say(line);
    return exitCode;
  } finally {
    stopListening();
  }
}

/** Options that are not as they must be exit with 2, what could not be done with 1. */
async function explain(
  error: unknown,
  environment: Record<string, string | undefined>,
): Promise<{ line: string; exitCode: number }> {
  if (error instanceof Interrupted) return { line: `Given up: ${error.message}.`, exitCode: error.exitCode };
  if (error instanceof UsageError) return { line: error.message, exitCode: 2 };
  const isExpected =
    error instanceof BackupError || error instanceof ConfigError || error instanceof LocalPostgresUnavailable;
  if (isExpected) return { line: error.message, exitCode: 1 };
  const problems = await problemLines(environment, 'transfer').catch(() => []);
  if (problems.length > 0) return { line: problems.join('\n'), exitCode: 1 };
  // A file or a stream that the system refuses: its own words name the path and the reason.
  if (error instanceof Error && 'syscall' in error) return { line: error.message, exitCode: 1 };
  return { line: `This should not happen: ${error instanceof Error ? error.stack : error}`, exitCode: 1 };
}
