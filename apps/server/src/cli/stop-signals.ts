import { constants } from 'node:os';
import process from 'node:process';

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/**
 * npm forwards SIGINT and SIGTERM to its child process. A terminal or a supervisor sends them to the whole process group, so
 * the child receives each of them twice, the second time up to some 100 ms later.
 */
const SAME_SIGNAL_MS = 1_000;

/**
 * Listens for signals to stop: SIGINT, SIGTERM and, if the process has a terminal, SIGHUP. Without a terminal SIGHUP keeps its
 * meaning, so that `nohup` works. A signal within a second of the first counts as the same one.
 *
 * @param onStop called at the first signal
 * @param onStopAgain called at the second
 * @returns a function that stops listening
 */
export function listenForStop(
  onStop: (signal: StopSignal) => void,
  onStopAgain: (signal: StopSignal) => void,
): () => void {
  let stoppedAt: number | undefined;
  let isStoppedAgain = false;
  const listener = (signal: StopSignal) => {
    if (stoppedAt === undefined) {
      stoppedAt = performance.now();
      onStop(signal);
    } else if (!isStoppedAgain && performance.now() - stoppedAt >= SAME_SIGNAL_MS) {
      isStoppedAgain = true;
      onStopAgain(signal);
    }
  };
  const signals: StopSignal[] = ['SIGINT', 'SIGTERM'];
  if (process.stdout.isTTY || process.stderr.isTTY) {
    signals.push('SIGHUP');
    // Writing to a closed terminal fails, which must not end the process before it has stopped in order.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  }
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

/** The longest time in which the local PostgreSQL may stop after a second signal. */
export const DATABASE_STOP_MS = 10_000;

/** The exit code of a process that a signal ended, as shells count it: 130 for SIGINT, 143 for SIGTERM. */
export function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/** The lines that the first signal prints. */
export const stoppingText = (signal: StopSignal) =>
  `\n${signal}: finishing what runs; once more stops at once.`;

/** The line that the second prints. */
export const STOPPED_AT_ONCE = 'Stopped at once.';
