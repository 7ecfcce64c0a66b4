import type { Io, Output } from '../context/io-streams.ts';
import { Styled } from './styled.ts';
import { printable } from './text.ts';

/** A stream as the process has it: what is written arrives byte for byte. */
interface RawOutput {
  write(text: string): unknown;
  color: boolean;
}

/** The streams as the process has them. */
export type RawIo = Omit<Io, 'stdout' | 'stderr'> & { stdout: RawOutput; stderr: RawOutput };

/** A text of several lines for a terminal: printable but for its line feeds. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/**
 * The output that commands write to. On a terminal every control character and bidirectional override of a plain text
 * becomes a visible escape, so no record can change what the terminal shows; only `Styled` text passes as it is. In a
 * pipe or file the bytes are exactly those that were written.
 */
function guarded({ write, color }: RawOutput, isTerminal: boolean): Output {
  return {
    color,
    write: (text) => {
      if (text instanceof Styled) return write(text.text);
      return write(isTerminal ? printableLines(text) : text);
    },
  };
}

/** The io of all commands, made of the streams of the process. */
export function guardedIo(io: RawIo): Io {
  return {
    ...io,
    stdout: guarded(io.stdout, io.isTerminal),
    stderr: guarded(io.stderr, io.isErrorTerminal),
  };
}
