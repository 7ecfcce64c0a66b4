import { quantileOf } from '../figures.ts';
import type { Work } from '../operations.ts';
import type { Sample } from '../runs.ts';
import { markdownTable } from '../table-text.ts';
import type { Comparison } from './rounds.ts';
import type { Settings } from './settings.ts';
import type { Variant } from './variants.ts';

/** Everything a report says. */
export interface Report extends Settings {
  date: string;
  machine: string;
  database: string;
  comparisons: Comparison[];
  baseline: Sample[];
}

const whole = (value: number) => value.toFixed(0);
const tenth = (value: number) => value.toFixed(1);

function spread(values: number[]): string {
  return `${tenth(quantileOf(values, 0.25))} … ${tenth(quantileOf(values, 0.75))}`;
}

const HEAD = [
  'taken out',
  'server µs left',
  'saved',
  'saved, quartiles',
  '%',
  'database µs left',
  'saved',
  'saved, quartiles',
];

function rowOf({ title, name }: Variant, runs: Comparison[], serverUs: number): string[] {
  const median = (value: (run: Comparison) => number) => quantileOf(runs.map(value), 0.5);
  const saved = median((run) => run.serverSavedUs);
  return [
    `${title} (\`${name}\`)`,
    tenth(median((run) => run.serverUs)),
    tenth(saved),
    spread(runs.map((run) => run.serverSavedUs)),
    whole((saved / serverUs) * 100),
    tenth(median((run) => run.databaseUs)),
    tenth(median((run) => run.databaseSavedUs)),
    spread(runs.map((run) => run.databaseSavedUs)),
  ];
}

function workTable(work: Work, { variants, comparisons, baseline }: Report): string {
  const mine = baseline.filter((sample) => sample.work === work.name);
  const serverUs = quantileOf(
    mine.map((sample) => sample.serverUs),
    0.5,
  );
  const databaseUs = quantileOf(
    mine.map((sample) => sample.databaseUs ?? 0),
    0.5,
  );
  const rows = variants.flatMap((variant) => {
    const runs = comparisons.filter(
      ({ variant: name, work: of }) => name === variant.name && of === work.name,
    );
    return runs.length === 0 ? [] : [rowOf(variant, runs, serverUs)];
  });
  const text = `Everything on: ${tenth(serverUs)} µs of the server and ${tenth(databaseUs)} µs of PostgreSQL a request.`;
  return `## ${work.title}\n\n${text}\n\n${markdownTable(HEAD, rows)}`;
}

function method({ agents, rounds, seconds, connections, pin, database }: Report): string {
  return [
    `CPU per request of the server's bundle with one part taken out at a time, and of PostgreSQL (${database}, ${agents.toLocaleString('en-US')} agents).`,
    `${rounds} rounds, each of all variants in turns, ${seconds} s each at the peak of ${connections} keep-alive connections; cores: ${pin}.`,
    'Between every five variants a process with everything on runs, each time another one; a run is compared with the one of everything before and',
    'the one after it. *Left* is the median over the rounds, *saved* the median of these differences, and the quartiles are theirs: what lies between',
    'two quartiles of different signs is not resolved. Parts overlap and do not add up. `control` takes out nothing: what it saves is noise.',
    '',
    '`npm run bench:ablation -- --page` makes this page. The server has no switches for it: each variant is built as the bundle is, with',
    'a few pieces of its sources replaced while they are loaded (`tools/bench/src/ablation/variants.ts`), or runs on a copy of the',
    'database without a part. A variant whose piece is no longer in the sources, or that answers otherwise, fails.',
  ].join('\n');
}

/** The report as Markdown. */
export function reportText(report: Report): string {
  const parts = [
    '# Where the microseconds go',
    `${report.date}: ${report.machine}.`,
    method(report),
    ...report.works.map((work) => workTable(work, report)),
  ];
  return `${parts.join('\n\n')}\n`;
}
