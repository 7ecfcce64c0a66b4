import type { Readable, Writable } from 'node:stream';
import type { Styled } from '../output/styled.ts';
import type { Environment } from './environment.ts';

/** Where text goes; `output/outputs.ts` says what becomes of it on a terminal. */
export interface Output {
  write(text: string | Styled): unknown;
  /** Whether the text may be coloured. */
  color: boolean;
}

/** Everything a command knows of the outside: data go to stdout, all else to stderr. */
export interface Io {
  stdout: Output;
  stderr: Output;
  stdin: Readable;
  /** What questions are drawn on: stderr as a stream, so that stdout stays data. */
  screen: Writable;
  /** Whether a person reads stdout: tables for one, TSV for a program. */
  isTerminal: boolean;
  /** Whether a person reads stderr, and sees there how a long work goes on. */
  isErrorTerminal: boolean;
  /** Whether a person is at stdin and can be asked. */
  isInteractive: boolean;
  /** The width and height of the terminal as it is now, in cells. */
  size(): { columns: number; rows: number };
}

/** All of stdin, as UTF-8 without a byte order mark. */
export async function readInput({ stdin }: Io, signal: AbortSignal): Promise<string> {
  const { addAbortSignal } = await import('node:stream');
  const { text } = await import('node:stream/consumers');
  return (await text(addAbortSignal(signal, stdin))).replace(/^\uFEFF/, '');
}

/** Asks for one line, on stderr so that stdout stays data. The end of the input answers with an empty line. */
export async function ask({ stdin, stderr }: Io, question: string, signal: AbortSignal): Promise<string> {
  const { createInterface } = await import('node:readline');
  stderr.write(question);
  // Not a terminal to readline: the line discipline of a real one edits, echoes, and raises SIGINT for all.
  const lines = createInterface({ input: stdin, terminal: false, signal });
  try {
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
  }
}

const isSet = (value: string | undefined) => value !== undefined && value !== '';

/**
 * Whether text to a stream may be coloured: NO_COLOR (no-color.org) is over FORCE_COLOR, which is over what the stream
 * is. `FORCE_COLOR=0` and `FORCE_COLOR=false` mean no colour, as they do in Node.
 */
export function hasColor(env: Environment, isTerminal: boolean): boolean {
  if (isSet(env.NO_COLOR)) return false;
  if (isSet(env.FORCE_COLOR)) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return isTerminal && env.TERM !== 'dumb';
}
