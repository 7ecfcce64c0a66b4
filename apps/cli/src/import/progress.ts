import type { IoStreams } from '../terminal/io-streams.ts';
import { Styled } from '../terminal/styled.ts';

/** Displays the progress of a long task. */
export interface Progress {
  /** Starts a new phase. */
  begin(label: string): void;
  /** Updates the completed fraction, from 0 to 1, and the number of rows. */
  show(share: number, rows: number): void;
  /** Ends the phase. */
  end(): void;
}

const BETWEEN_DRAWINGS_MS = 100;
const BETWEEN_LINES_MS = 10_000;
const CLEAR_LINE = '\r\u001b[K';
/** The rate is averaged over this window. */
const RATE_WINDOW_MS = 5_000;

const number = (value: number) => Math.round(value).toLocaleString('en');

/** The singular and the plural of what is counted. */
type Unit = readonly [string, string];

const countText = (count: number, [one, many]: Unit) => `${number(count)} ${count === 1 ? one : many}`;

/** Formats a duration in seconds. */
function durationOf(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Measures the rate: fraction and rows per second. */
function pace() {
  let samples: { at: number; share: number; rows: number }[] = [];
  return (at: number, share: number, rows: number): { shares: number; rows: number } => {
    samples.push({ at, share, rows });
    const kept = samples.findIndex((sample) => at - sample.at <= RATE_WINDOW_MS);
    if (kept > 1) samples = samples.slice(kept - 1);
    const [first] = samples;
    const seconds = first === undefined ? 0 : (at - first.at) / 1_000;
    if (first === undefined || seconds < 0.2) return { shares: 0, rows: 0 };
    return { shares: (share - first.share) / seconds, rows: (rows - first.rows) / seconds };
  };
}

/** `Importing  ━━━━━━━━──────────  41 %  410,000 rows  31,000/s  19 s left`, as wide as the terminal allows. */
function barOf({ label, share, count, rate, left }: Drawn, width: number): string {
  const words = [`${Math.floor(share * 100)} %`, count];
  if (rate > 0) words.push(`${number(rate)}/s`);
  if (left !== undefined) words.push(`${durationOf(left)} left`);
  const text = words.join('  ');
  const room = Math.min(30, width - label.length - text.length - 6);
  const full = Math.round(room * share);
  const bar = room < 5 ? '' : `${'━'.repeat(full)}${'─'.repeat(room - full)}  `;
  return `${label}  ${bar}${text}`.slice(0, Math.max(1, width - 1));
}

interface Drawn {
  label: string;
  share: number;
  count: string;
  rate: number;
  left: number | undefined;
}

/** Shows progress on stderr: a bar on a terminal, otherwise a line every 10 seconds. */
export function progressOn(
  io: Pick<IoStreams, 'stderr' | 'size' | 'isErrorTerminal'>,
  { unit = ['row', 'rows'], now = () => performance.now() }: { unit?: Unit; now?: () => number } = {},
): Progress {
  let label = '';
  let last = { share: 0, rows: 0 };
  let shownAt = 0;
  let paceOf = pace();
  const draw = (isEnd: boolean) => {
    const at = now();
    const { shares, rows: rate } = paceOf(at, last.share, last.rows);
    const left = shares > 0 && !isEnd ? (1 - last.share) / shares : undefined;
    shownAt = at;
    if (io.isErrorTerminal) {
      const { share, rows } = last;
      const drawn = barOf({ label, share, count: countText(rows, unit), rate, left }, io.size().columns);
      io.stderr.write(new Styled(`${CLEAR_LINE}${drawn}`));
      return;
    }
    const words = [`${Math.floor(last.share * 100)} %`, countText(last.rows, unit)];
    io.stderr.write(
      `${label.trim()}: ${words.join(', ')}${left === undefined ? '' : `, ${durationOf(left)} left`}\n`,
    );
  };
  return {
    begin: (text) => {
      label = text;
      last = { share: 0, rows: 0 };
      paceOf = pace();
      shownAt = now();
      if (io.isErrorTerminal) draw(false);
    },
    show: (share, rows) => {
      last = { share, rows };
      const between = io.isErrorTerminal ? BETWEEN_DRAWINGS_MS : BETWEEN_LINES_MS;
      if (now() - shownAt >= between) draw(false);
    },
    end: () => {
      draw(true);
      if (io.isErrorTerminal) io.stderr.write('\n');
    },
  };
}
