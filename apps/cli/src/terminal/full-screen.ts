import type { IoStreams } from './io-streams.ts';
import { Styled } from './styled.ts';

// Escape sequences of ECMA-48 and xterm: alternate screen, hidden cursor, no line wrap.
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l';
const LEAVE = '\u001b[?7h\u001b[?25h\u001b[?1049l';
const HOME = '\u001b[H';
const CLEAR_LINE = '\u001b[K';
const CLEAR_REST = '\u001b[J';

/** The alternate screen of the terminal, which is redrawn as a whole. */
export interface Screen {
  /** Draws a text from the top. If it is too long for the terminal, the last line says how many lines are missing. */
  draw(text: Styled): void;
  /** Restores the previous content of the terminal. */
  close(): void;
}

function clipped(text: string, rows: number): string[] {
  const lines = text.replace(/\n$/, '').split('\n');
  if (lines.length <= rows) return lines;
  return [...lines.slice(0, rows - 1), `… and ${lines.length - rows + 1} more`];
}

/** Switches to the alternate screen until it is closed. */
export function openScreen({ stdout, size }: Pick<IoStreams, 'stdout' | 'size'>): Screen {
  const send = (sequence: string) => void stdout.write(new Styled(sequence));
  send(ENTER);
  return {
    draw: (text) => {
      const lines = clipped(text.text, size().rows).map((line) => `${line}${CLEAR_LINE}`);
      send(`${HOME}${lines.join('\r\n')}${CLEAR_REST}`);
    },
    close: () => send(LEAVE),
  };
}
