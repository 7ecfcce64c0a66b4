import { markdownTable } from '../../harness/src/markdown.ts';
import { quantileOf } from '../../harness/src/statistics.ts';
import type { Contestant } from './contestants.ts';
import { type Figure, judge, ratiosOf } from './judge.ts';
import type { Memory, Sample, TurnOptions } from './turns.ts';
import type { Work } from './works.ts';

/** A run that is over. */
export interface Report {
  settings: Pick<TurnOptions, 'rounds' | 'turns' | 'seconds' | 'connections'> & {
    agents: number;
    pin: string;
  };
  contestants: Contestant[];
  works: Work[];
  /** Date and machine, in a line. */
  where: string;
  /** Such as 'PostgreSQL 18.4'. */
  database: string;
  samples: Sample[];
  memory: Memory;
  notes: string[];
}

const whole = (value: number) => Math.round(value).toLocaleString('en-US');
const fixed = (value: number) => value.toFixed(2);

/** The median and, in brackets, the quartiles. */
function spread(values: number[], text: (value: number) => string): string {
  if (values.length === 0) return '–';
  const [low, median, high] = [0.25, 0.5, 0.75].map((share) => text(quantileOf(values, share)));
  return `${median} (${low} … ${high})`;
}

/** The figures of a run, a table each, with a contestant in each row and a work in each column. */
const FIGURES: readonly [heading: string, cellOf: (samples: Sample[]) => string][] = [
  ['Requests a second', (mine) => median(mine, 'ratePerS')],
  ['CPU of the server for an operation, µs', (mine) => median(mine, 'serverUs')],
  ['CPU of PostgreSQL for an operation, µs', (mine) => median(mine, 'databaseUs')],
  ['p99 at the peak, ms', (mine) => median(mine, 'p99Ms')],
];

function median(samples: Sample[], figure: Figure): string {
  return whole(
    quantileOf(
      samples.map((sample) => sample[figure]),
      0.5,
    ),
  );
}

/** A table of all contestants and works. A contestant that does not have a work has no figure. */
function table(report: Report, cellOf: (contestant: string, work: string, samples: Sample[]) => string) {
  const { samples, contestants, works } = report;
  const rows = contestants.map(({ name, title }) => [
    title,
    ...works.map((work) => {
      const mine = samples.filter((sample) => sample.contestant === name && sample.work === work.name);
      return mine.length === 0 ? '–' : cellOf(name, work.name, mine);
    }),
  ]);
  return markdownTable(['contestant', ...works.map(({ name }) => name)], rows);
}

function memoryTable(memory: Memory): string {
  const rows = memory.map(({ title, megabytes, requests }) => [title, whole(megabytes), whole(requests)]);
  return `### Resident memory at the end, MB\n\n${markdownTable(['contestant', 'MB', 'after so many requests'], rows)}`;
}

/** The report as Markdown. */
export function reportText(report: Report): string {
  const { where, database, samples, memory, notes } = report;
  const { agents, rounds, turns, seconds, connections, pin } = report.settings;
  const verdicts = judge(samples, memory).map(({ isMet, ...verdict }) => [
    ...Object.values(verdict),
    isMet ? 'met' : 'not met',
  ]);
  const failed = samples.reduce((sum, { failures }) => sum + failures, 0);
  const ratioOf = (contestant: string, work: string) => spread(ratiosOf(samples, contestant, work), fixed);
  const parts = [
    '## Roster and its peers',
    `${where}.`,
    `One ${database} with ${whole(agents)} agents; ${rounds} rounds of ${turns} turns of about ${seconds} s, in which the contestants take turns;
${connections} keep-alive connections, each with one request at a time; cores: ${pin}. Figures are medians over the turns, ratios have their
quartiles. ${whole(failed)} requests failed.`,
    `### Rate relative to the reference in the same turn\n\n${table(report, ratioOf)}`,
    ...FIGURES.map(
      ([heading, cellOf]) => `### ${heading}\n\n${table(report, (_contestant, _work, mine) => cellOf(mine))}`,
    ),
    memoryTable(memory),
    `### Bounds of Roster\n\n${markdownTable(['work', 'bound', 'measured', ''], verdicts)}`,
    ...(notes.length === 0 ? [] : [`### Notes\n\n${notes.map((note) => `- ${note}`).join('\n')}`]),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Replaces the section of the last run in the page of the benchmark, whose other sections are written by hand. */
export function withReport(page: string, text: string): string {
  const section = /^## Roster and its peers$[\s\S]*?(?=^## )/m;
  if (!section.test(page))
    throw new Error('The page has no section "Roster and its peers" with another one after it.');
  return page.replace(section, () => `${text}\n`);
}
