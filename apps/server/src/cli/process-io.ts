import type { Readable, Writable } from 'node:stream';
import { exitCodeOf, type StopSignal } from './stop-signals.ts';

/** What moves a whole database is given: all it knows of the process it runs in. */
export interface Transfer {
  /** What stands after the name of the command. */
  argv: string[];
  environment: Record<string, string | undefined>;
  stdin: Readable;
  stdout: Writable & { isTTY?: boolean };
  /** Tells people, a line at a time. */
  say: (line: string) => void;
  /** Shows how far it is, each in place of the one before; undefined where nobody looks. */
  sayProgress: ((line: string) => void) | undefined;
  /** Fires when the process is asked to end, with an `Interrupted` as its reason. */
  signal: AbortSignal;
}

/** Moves the database; returns the exit code. */
export type Transferring = (transfer: Transfer) => Promise<number>;

/** The process was asked to end by a signal. */
export class Interrupted extends Error {
  /** What a shell shows of a command that a signal ended: 128 and the number of the signal. */
  readonly exitCode: number;

  constructor(signal: StopSignal) {
    super(`interrupted by ${signal}`);
    this.exitCode = exitCodeOf(signal);
  }
}
