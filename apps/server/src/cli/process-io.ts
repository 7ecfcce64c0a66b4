import type { Readable, Writable } from 'node:stream';
import { exitCodeOf, type StopSignal } from '../processes/stop-signals.ts';

/** The arguments and the streams that a backup or a restore gets of the process that runs it. */
export interface ProcessIo {
  /** The arguments after the name of the command. */
  argv: string[];
  environment: Record<string, string | undefined>;
  stdin: Readable;
  stdout: Writable & { isTTY?: boolean };
  /** Writes a line to stderr, for people. */
  printError: (line: string) => void;
  /** Shows the progress in one line, which replaces the previous one; undefined if stderr is not a terminal. */
  showProgress: ((line: string) => void) | undefined;
  /** Aborts when the process gets a signal to stop, with an `Interrupted` as the reason. */
  signal: AbortSignal;
}

/** A backup or a restore; returns the exit code. */
export type ProcessCommand = (io: ProcessIo) => Promise<number>;

/** A signal told the process to stop. */
export class Interrupted extends Error {
  /** The exit code that shells show for a command that the signal ended: 128 plus its number. */
  readonly exitCode: number;

  constructor(signal: StopSignal) {
    super(`interrupted by ${signal}`);
    this.exitCode = exitCodeOf(signal);
  }
}
