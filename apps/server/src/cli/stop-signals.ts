import { constants } from 'node:os';
import process from 'node:process';

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/**
 * npm forwards SIGINT and SIGTERM to its child process. A terminal or a supervisor sends them to the whole process group, so
 * the child receives each of them twice, the second time up to some 100 ms later.
 */
const SAME_SIGNAL_MS = 1_000;

/**
 * Calls `onStop` when the process is told to stop, and `onStopAgain` when it is told again. What arrives within a second of
 * the first signal counts as that signal. A terminal that closes (SIGHUP) stops the process as well; without a terminal
 * SIGHUP keeps its meaning, so that `nohup` works. Answers how to stop listening.
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
    // Writing to a terminal that is gone fails; that must not end the process before it has stopped in order.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  }
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

/** The exit code of a process that a signal ended, as shells count it: 130 for SIGINT, 143 for SIGTERM. */
export function exitCodeOf(signal: StopSignal): number {
  return 128 + constants.signals[signal];
}
