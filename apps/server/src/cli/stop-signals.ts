import { constants } from 'node:os';
import process from 'node:process';

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** npm forwards signals that its child also gets from the terminal: each arrives twice, up to some 100 ms apart. */
const SAME_SIGNAL_MS = 1_000;

/** Listens for SIGINT, SIGTERM and, with a terminal, SIGHUP; without one `nohup` must work. Returns a function that stops listening. */
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

export const DATABASE_STOP_MS = 10_000;

/** 130 for SIGINT, 143 for SIGTERM, as shells count it. */
export function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

export const stoppingText = (signal: StopSignal) =>
  `\n${signal}: finishing what runs; once more stops at once.`;

export const STOPPED_AT_ONCE = 'Stopped at once.';
