import { markdownTable } from '../../../harness/src/markdown.ts';
import type { FillResult } from './fill.ts';
import { VERSIONS } from './history.ts';
import { type LongRun, longRunNames } from './long-runs.ts';
import type { Timing } from './measure.ts';
import { searchNames } from './probes.ts';

/** What was measured at one size. */
export interface Stage {
  filled: FillResult;
  timings: Timing[];
  longRuns: LongRun[];
}

export interface ScaleReport {
  date: string;
  machine: string;
  database: string;
  isSystemCacheDropped: boolean;
  stages: Stage[];
}

/** From the smallest to the largest. */
const RATIO_MAX = 1.3;
const FLAT: Timing['operation'][] = ['get', 'first page', 'deepest page', 'history', 'blame'];
const SEARCH_MAX_MS = 10;
const SEARCH_P95_MAX_MS = 15;
const SEARCH_AGENTS = 1_000_000;

const count = (value: number) => value.toLocaleString('en-US');

const timingOf = ({ timings }: Stage, operation: Timing['operation']) =>
  timings.find((one) => one.operation === operation);

/** The bounds that what was measured can be held to. */
export function judgeScale(stages: Stage[]): { claim: string; value: string; isMet: boolean }[] {
  const [first, last] = [stages[0], stages.at(-1)];
  if (first === undefined || last === undefined) return [];
  const flat = FLAT.flatMap((operation) => {
    const [small, large] = [timingOf(first, operation), timingOf(last, operation)];
    if (small === undefined || large === undefined) return [];
    const ratio = large.warmMs / small.warmMs;
    const sizes = `${count(first.filled.agents)} to ${count(last.filled.agents)}`;
    const claim = `${operation}, ${sizes}: at most ${RATIO_MAX} times the database time`;
    return [{ claim, value: ratio.toFixed(2), isMet: ratio <= RATIO_MAX }];
  });
  const million = stages.find(({ filled }) => filled.agents === SEARCH_AGENTS);
  const searches = (million?.timings ?? []).filter(({ operation }) =>
    searchNames.some((name) => name === operation),
  );
  const at = `at ${count(SEARCH_AGENTS)}`;
  const medians = searches
    .filter(({ operation }) => operation === 'search')
    .map(({ operation, seenMs }) => ({
      claim: `${operation} ${at}: p50 at most ${SEARCH_MAX_MS} ms`,
      value: `${seenMs.toFixed(2)} ms`,
      isMet: seenMs <= SEARCH_MAX_MS,
    }));
  const slowest = searches.map(({ operation, serverP95Ms }) => ({
    claim: `${operation} ${at}: p95 of the server at most ${SEARCH_P95_MAX_MS} ms`,
    value: `${serverP95Ms.toFixed(1)} ms`,
    isMet: serverP95Ms <= SEARCH_P95_MAX_MS,
  }));
  return [...flat, ...medians, ...slowest];
}

function timesTable(
  title: string,
  stages: Stage[],
  valueFrom: (timing: Timing) => number,
  digits = 3,
): string {
  const head = ['operation', ...stages.map(({ filled }) => `${count(filled.agents)}`)];
  const rows = (stages[0]?.timings ?? []).map(({ operation }) => [
    operation,
    ...stages.map((stage) => {
      const timing = timingOf(stage, operation);
      return timing === undefined ? '' : valueFrom(timing).toFixed(digits);
    }),
  ]);
  return `## ${title}\n\n${markdownTable(head, rows)}`;
}

function longRunTable(stages: Stage[]): string {
  const head = ['seconds', ...stages.map(({ filled }) => count(filled.agents))];
  const rows = longRunNames.map((name) => [
    name,
    ...stages.map(({ longRuns }) => {
      const run = longRuns.find((one) => one.name === name);
      if (run === undefined) return '';
      return `${run.seconds.toFixed(2)}${run.records === undefined ? '' : ` (${count(run.records)})`}`;
    }),
  ]);
  return `## Once at each size\n\n${markdownTable(head, rows)}`;
}

function sizesTable(stages: Stage[]): string {
  const rows = stages.map(({ filled: { agents, seconds, bytes } }) => [
    count(agents),
    seconds.toFixed(0),
    count(Math.round(bytes / 2 ** 20)),
  ]);
  return `## Filling\n\n${markdownTable(['agents', 'seconds for the rows that were missing, with all indexes', 'MiB with indexes'], rows)}`;
}

/** The report as Markdown. */
export function scaleText({ date, machine, database, isSystemCacheDropped, stages }: ScaleReport): string {
  const cache = isSystemCacheDropped
    ? "and the system's cache of files was dropped"
    : "and the system's cache of files could not be dropped, so what is read may still be in memory";
  const verdicts = judgeScale(stages).map(({ claim, value, isMet }) => [
    claim,
    value,
    isMet ? 'met' : 'not met',
  ]);
  const parts = [
    '# From a thousand agents to millions',
    `${date}: ${machine}; ${database}.`,
    'Times are milliseconds an operation of the running service, one at a time. Database time is planning and executing, ' +
      'from pg_stat_statements, without parsing, the network and the commit. Cold is the mean of the first 20 after a ' +
      `restart of PostgreSQL, which empties its shared buffers, ${cache}; warm is the median of seven means of 60 requests, all of ` +
      `which were made once before. ` +
      `A tenth of the agents have an event in the log; history and blame are of agents with ${VERSIONS} versions. In brackets ` +
      'is the number of agents that a bulk change or scheduled changes, all due at the same moment, are about.',
    timesTable('Database time, warm', stages, ({ warmMs }) => warmMs),
    timesTable('Database time, cold', stages, ({ coldMs }) => coldMs),
    timesTable('Blocks of 8 KiB touched, warm', stages, ({ blocks }) => blocks, 1),
    timesTable('As the caller sees it, warm, p50', stages, ({ seenMs }) => seenMs),
    timesTable('As the server logs it, warm, p95', stages, ({ serverP95Ms }) => serverP95Ms, 1),
    longRunTable(stages),
    sizesTable(stages),
    `## Bounds\n\n${markdownTable(['bound', 'measured', ''], verdicts)}`,
  ];
  return `${parts.join('\n\n')}\n`;
}
