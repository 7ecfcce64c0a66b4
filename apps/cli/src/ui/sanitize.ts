import type { IoStreams, Output } from './io-streams.ts';
import { Styled } from './styled.ts';
import { printable } from './text.ts';

/** An output stream of the process, which writes bytes unchanged. */
interface RawOutput {
  write(text: string): unknown;
  color: boolean;
}

/** The streams of the process. */
export type RawIoStreams = Omit<IoStreams, 'stdout' | 'stderr'> & { stdout: RawOutput; stderr: RawOutput };

/** Makes a text of several lines printable, except for its line feeds. */
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

/** The streams of all commands, from the streams of the process. */
export function sanitizedIo(io: RawIoStreams): IoStreams {
  return {
    ...io,
    stdout: sanitized(io.stdout, io.isTerminal),
    stderr: sanitized(io.stderr, io.isErrorTerminal),
  };
}
