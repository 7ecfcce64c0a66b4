import type { Readable, Writable } from 'node:stream';
import { decodeText } from '../contract/lossless-text.ts';
import type { Environment } from '../environment.ts';
import { printable, Styled } from './text.ts';

interface Output {
  write(text: string | Styled): unknown;
  color: boolean;
}

export interface IoStreams {
  stdout: Output;
  stderr: Output;
  stdin: Readable;
  /** The stream that prompts are drawn on: stderr, so that stdout contains only data. */
  screen: Writable;
  isTerminal: boolean;
  isErrorTerminal: boolean;
  isInteractive: boolean;
  /** The current size of the terminal, in cells. */
  size(): { columns: number; rows: number };
}

/** All of stdin, which is UTF-8, without a byte order mark. Throws a usage error if it is not. */
export async function readInput({ stdin }: IoStreams, signal: AbortSignal): Promise<string> {
  const { addAbortSignal } = await import('node:stream');
  const { buffer } = await import('node:stream/consumers');
  return decodeText(await buffer(addAbortSignal(signal, stdin)), 'stdin');
}

/** Prompts on stderr for one line. Resolves to an empty text at the end of the input. */
export async function ask(
  { stdin, stderr }: IoStreams,
  question: string,
  signal: AbortSignal,
): Promise<string> {
  const { createInterface } = await import('node:readline');
  stderr.write(question);
  // `terminal: false`, because the terminal itself edits, echoes and raises SIGINT.
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
 * Whether text to a stream may be coloured. NO_COLOR (no-color.org) takes precedence over FORCE_COLOR, and FORCE_COLOR
 * over whether the stream is a terminal. `FORCE_COLOR=0` and `FORCE_COLOR=false` disable colour, as in Node.
 */
export function hasColor(env: Environment, isTerminal: boolean): boolean {
  if (isSet(env.NO_COLOR)) return false;
  if (isSet(env.FORCE_COLOR)) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return isTerminal && env.TERM !== 'dumb';
}

interface RawOutput {
  write(text: string): unknown;
  color: boolean;
}

export type RawIoStreams = Omit<IoStreams, 'stdout' | 'stderr'> & { stdout: RawOutput; stderr: RawOutput };

export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/**
 * Wraps an output stream. On a terminal, control characters and bidirectional overrides in plain text become visible escapes,
 * so that no record can manipulate the terminal; only `Styled` text is written unchanged. In a pipe or file, everything is
 * written unchanged.
 */
function sanitized({ write, color }: RawOutput, isTerminal: boolean): Output {
  return {
    color,
    write: (text) => {
      if (text instanceof Styled) return write(text.text);
      return write(isTerminal ? printableLines(text) : text);
    },
  };
}

export function sanitizedIo(io: RawIoStreams): IoStreams {
  return {
    ...io,
    stdout: sanitized(io.stdout, io.isTerminal),
    stderr: sanitized(io.stderr, io.isErrorTerminal),
  };
}
