import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLogger } from './logger.ts';
import { RequestStats } from './request-context.ts';
import { createSlowQueryLog } from './slow-query-log.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A slow query log of statements from half a second on, and its lines. */
function watched({ isSummary }: { isSummary: boolean }) {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger('info', { write: (line) => lines.push(JSON.parse(line)) });
  const slow = createSlowQueryLog({ log, thresholdMs: 500, isSummary });
  const record = (text: string, durationMs: number) =>
    slow.record({ sql: text, durationMs }, new RequestStats('request-1'));
  return { record, lines, slow };
}

it('each slow statement is a line with its name, and its text at most once a minute', () => {
  const { record, lines } = watched({ isSummary: false });
  const text = 'select count(*) from agent where office_id = $1';
  record(text, 499);
  record(text, 900);
  record(text, 600);
  vi.advanceTimersByTime(60_000);
  record(text, 700);
  const statement = expect.stringMatching(/^r[\da-f]+$/);
  const line = { level: 40, msg: 'slow statement', reqId: 'request-1', statement };
  expect(lines).toEqual([
    expect.objectContaining({ ...line, durationMs: 900, sql: text }),
    expect.objectContaining({ ...line, durationMs: 600 }),
    expect.objectContaining({ ...line, durationMs: 700, sql: text }),
  ]);
  expect(lines[1]).not.toHaveProperty('sql');
});

it('at a terminal one short line a minute says how many were slow and where each is logged', () => {
  const { record, lines, slow } = watched({ isSummary: true });
  for (const durationMs of [499, 500, 3_600, 900]) record('select pg_sleep($1)', durationMs);
  expect(lines).toEqual([]);
  vi.advanceTimersByTime(60_000);
  record('select pg_sleep($1)', 1_000);
  slow[Symbol.dispose]();
  vi.advanceTimersByTime(60_000);
  expect(lines.map(({ msg }) => msg)).toEqual([
    '3 slow statements, the slowest took 3.6 s. Set ROSTER_LOG_FORMAT=json to log each with its text.',
    '1 slow statement took 1.0 s. Set ROSTER_LOG_FORMAT=json to log each with its text.',
  ]);
  expect(JSON.stringify(lines)).not.toContain('pg_sleep');
});
