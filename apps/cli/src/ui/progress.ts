import { setTimeout } from 'node:timers/promises';
import type { IoStreams } from './io-streams.ts';
import { counted, grouped, Styled } from './text.ts';

interface Progress {
  begin(label: string): void;
  /** Updates the completed fraction, from 0 to 1, and the number of rows. */
  show(share: number, rows: number): void;
  end(): void;
}

const BETWEEN_DRAWINGS_MS = 100;
const BETWEEN_LINES_MS = 10_000;
const CLEAR_LINE = '\r\u001b[K';
const RATE_WINDOW_MS = 5_000;

type Unit = readonly [string, string];

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
  if (rate > 0) words.push(`${grouped(Math.round(rate))}/s`);
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
function progressOn(io: Pick<IoStreams, 'stderr' | 'size' | 'isErrorTerminal'>, unit: Unit): Progress {
  let label = '';
  let last = { share: 0, rows: 0 };
  let shownAt = 0;
  let paceOf = pace();
  const draw = (isEnd: boolean) => {
    const at = performance.now();
    const { shares, rows: rate } = paceOf(at, last.share, last.rows);
    const left = shares > 0 && !isEnd ? (1 - last.share) / shares : undefined;
    shownAt = at;
    if (io.isErrorTerminal) {
      const { share, rows } = last;
      const drawn = barOf({ label, share, count: counted(rows, unit), rate, left }, io.size().columns);
      io.stderr.write(new Styled(`${CLEAR_LINE}${drawn}`));
      return;
    }
    const words = [`${Math.floor(last.share * 100)} %`, counted(last.rows, unit)];
    io.stderr.write(
      `${label.trim()}: ${words.join(', ')}${left === undefined ? '' : `, ${durationOf(left)} left`}\n`,
    );
  };
  return {
    begin: (text) => {
      label = text;
      last = { share: 0, rows: 0 };
      paceOf = pace();
      shownAt = performance.now();
      if (io.isErrorTerminal) draw(false);
    },
    show: (share, rows) => {
      last = { share, rows };
      const between = io.isErrorTerminal ? BETWEEN_DRAWINGS_MS : BETWEEN_LINES_MS;
      if (performance.now() - shownAt >= between) draw(false);
    },
    end: () => {
      draw(true);
      if (io.isErrorTerminal) io.stderr.write('\n');
    },
  };
}

interface Phase {
  label: string;
  share: number;
  count: number;
}

interface Followed<Work> {
  read: () => Promise<Work>;
  phaseOf: (work: Work) => Phase;
  unit?: Unit;
  io: IoStreams;
  signal: AbortSignal;
}

const INTERVAL_MIN_MS = 100;
const INTERVAL_MAX_MS = 1_000;

/** Shows the progress of a job or an import on stderr until it has ended; resolves to what it is then. */
export async function followProgress<Work extends { finishedAt: string | null; total: number }>(
  started: Work,
  { read, phaseOf, unit = ['row', 'rows'], io, signal }: Followed<Work>,
): Promise<Work> {
  const progress = progressOn(io, unit);
  let current = started;
  let shown: string | undefined;
  for (let interval = INTERVAL_MIN_MS; ; interval = Math.min(interval * 1.5, INTERVAL_MAX_MS)) {
    const { label, share, count } = phaseOf(current);
    if (label !== shown) {
      if (shown !== undefined) {
        progress.show(1, current.total);
        progress.end();
      }
      progress.begin(label);
      shown = label;
    }
    progress.show(share, count);
    if (current.finishedAt !== null) break;
    await setTimeout(interval, undefined, { signal });
    current = await read();
  }
  progress.end();
  return current;
}
