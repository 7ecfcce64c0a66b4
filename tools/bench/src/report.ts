import { cpus, release, totalmem, type } from 'node:os';
import process from 'node:process';
import { markdownTable } from '../../harness/src/markdown.ts';
import { quantileOf } from '../../harness/src/statistics.ts';
import type { Contestant } from './contestants.ts';
import { type Figure, judge, MEMORY_REQUESTS, ratiosOf } from './judge.ts';
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

/** The date and the machine, in a line. */
export function describeMachine(): string {
  const date = new Date().toISOString().slice(0, 10);
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const system = `${type()} ${release()}, Node ${process.versions.node}`;
  return `${date}: ${cpus().length} cores of ${cpus()[0]?.model.trim()}, ${memory}, ${system}`;
}

/** How a run was made. */
function conditions({ where, database, samples, settings }: Report): string {
  const { agents, rounds, turns, seconds, connections, pin } = settings;
  const failed = samples.reduce((sum, { failures }) => sum + failures, 0);
  return `${where}.

One ${database} with ${whole(agents)} agents; ${rounds} rounds of ${turns} turns of about ${seconds} s, in which the contestants take turns;
${connections} keep-alive connections, each with one request at a time; cores: ${pin}. Figures are medians over the turns.
${whole(failed)} requests failed.`;
}

/** The report as Markdown, with everything that was measured. */
export function reportText(report: Report): string {
  const { samples, memory, notes } = report;
  const verdicts = judge(samples).map(({ work, bound, measured, isMet }) => [
    work,
    `≥ ${bound}`,
    fixed(measured),
    isMet ? 'met' : 'not met',
  ]);
  const ratioOf = (contestant: string, work: string) => spread(ratiosOf(samples, contestant, work), fixed);
  const parts = [
    '## Roster and its peers',
    conditions(report),
    'Ratios have their quartiles.',
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

/**
 * The section of the page, in one table: what holds for readers. Throws if a bound is not met, which is to be mended rather than
 * published.
 */
export function pageText(report: Report): string {
  const { samples, contestants, works, memory } = report;
  const verdicts = judge(samples);
  const broken = verdicts.filter(({ isMet }) => !isMet).map(({ work }) => work);
  if (broken.length > 0) throw new Error(`Nothing is published: below its bound is ${broken.join(', ')}.`);
  const cellOf = (contestant: string, work: string) => {
    const mine = samples.filter((sample) => sample.contestant === contestant && sample.work === work);
    if (mine.length === 0) return '–';
    return `${fixed(quantileOf(ratiosOf(samples, contestant, work), 0.5))}; ${median(mine, 'serverUs')}`;
  };
  const rows = contestants.map(({ name, title }) => [
    title,
    ...works.map((work) => cellOf(name, work.name)),
    whole(memory.find((one) => one.name === name)?.megabytes ?? Number.NaN),
  ]);
  const boundOf = (work: Work) => verdicts.find((verdict) => verdict.work === work.name)?.bound;
  const bounds = ['Roster at least', ...works.map((work) => boundOf(work)?.toString() ?? ''), ''];
  return `## Roster and its peers

${conditions(report)}

Rate relative to the reference in the same turn; CPU of the server for an operation, in µs. Memory is what is resident at the end, that of
Roster after ${whole(MEMORY_REQUESTS)} requests. \`npm run verify\` fails below the last row.

${markdownTable(['contestant', ...works.map(({ name }) => name), 'MB'], [...rows, bounds])}
`;
}

/** Replaces the section of the page that has the heading of a text. Throws if there is none. */
export function withSection(page: string, text: string): string {
  const [heading = ''] = text.split('\n', 1);
  const sections = page.split(/^(?=## )/m);
  const at = sections.findIndex((section) => section.startsWith(`${heading}\n`));
  if (at === -1) throw new Error(`The page has no section "${heading}".`);
  const isLast = at === sections.length - 1;
  return sections.with(at, isLast ? text : `${text}\n`).join('');
}
