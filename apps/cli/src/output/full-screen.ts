import type { Io } from '../context/io-streams.ts';
import { Styled } from './styled.ts';

/** Escape sequences of ECMA-48 and xterm that every terminal of today knows. */
// Another sheet, no cursor, and lines that are cut where they would wrap.
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l';
const LEAVE = '\u001b[?7h\u001b[?25h\u001b[?1049l';
const HOME = '\u001b[H';
const CLEAR_LINE = '\u001b[K';
const CLEAR_REST = '\u001b[J';

/** The terminal as a sheet that is drawn anew again and again, beside what was on it before. */
export interface Screen {
  /** Draws a text from the top; what the terminal has no room for is left out, and said so in its last line. */
  draw(text: Styled): void;
  /** Gives the terminal back as it was. */
  close(): void;
}

function clipped(text: string, rows: number): string[] {
  const lines = text.replace(/\n$/, '').split('\n');
  if (lines.length <= rows) return lines;
  return [...lines.slice(0, rows - 1), `… and ${lines.length - rows + 1} more`];
}

/** Takes over the terminal until it is closed. */
export function openScreen({ stdout, size }: Pick<Io, 'stdout' | 'size'>): Screen {
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
