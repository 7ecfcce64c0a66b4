import { readFileSync } from 'node:fs';
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

const COLUMNS: [Figure, string][] = [
  ['serverUs', 'server CPU µs'],
  ['databaseUs', 'database CPU µs'],
  ['p50Ms', 'p50 ms'],
  ['p99Ms', 'p99 ms'],
];
const HEAD = ['contestant', 'requests/s', 'ratio', ...COLUMNS.map(([, head]) => head), 'failures'];

function workTable(work: Work, { samples, contestants }: Report): string {
  const ofWork = Map.groupBy(
    samples.filter((sample) => sample.work === work.name),
    ({ contestant }) => contestant,
  );
  const rows = contestants.flatMap(({ name, title }) => {
    const mine = ofWork.get(name);
    if (mine === undefined) return [];
    const valuesOf = (figure: Figure) => mine.map((sample) => sample[figure]);
    const ratios = ratiosOf(samples, name, work.name);
    const figures = COLUMNS.map(([figure]) => spread(valuesOf(figure), whole));
    const failures = mine.reduce((sum, sample) => sum + sample.failures, 0);
    return [[title, spread(valuesOf('ratePerS'), whole), spread(ratios, fixed), ...figures, failures]];
  });
  return `## ${work.title}\n\n${markdownTable(HEAD, rows)}`;
}

function memoryTable(memory: Memory): string {
  const rows = memory.map(({ title, megabytes, requests }) => [title, whole(megabytes), whole(requests)]);
  return `## Resident memory at the end, MB\n\n${markdownTable(['contestant', 'MB', 'after so many requests'], rows)}`;
}

/** The report as Markdown. */
export function reportText(report: Report): string {
  const { where, database, samples, memory, notes } = report;
  const { agents, rounds, turns, seconds, connections, pin } = report.settings;
  const verdicts = judge(samples, memory).map(({ isMet, ...verdict }) => [
    ...Object.values(verdict),
    isMet ? 'met' : 'not met',
  ]);
  const parts = [
    '# Roster and its peers',
    `${where}.`,
    `One ${database} with ${whole(agents)} agents; ${rounds} rounds of all works. In each round the contestants run in ${turns} turns of
about ${seconds} s, one after another, so that a machine whose speed changes is as fast for all; ${connections} keep-alive connections,
each of which asks again as soon as it is answered (autocannon); cores: ${pin}. All figures are medians over the turns, with the
quartiles; a ratio is the rate by that of the hand-written \`node:http\` + \`pg\` pool in the same turn. RPC is compared with its REST, a batch get by
get. CPU is per operation, the latency that at the peak. [tools/bench](../../tools/bench/README.md) says what is fair and what is not;
[where the microseconds go](ablation.md) took Roster apart, and [from a thousand agents to millions](scale.md) filled it.
[How well duplicates are found](duplicates.md) is a page of its own.`,
    ...report.works.map((work) => workTable(work, report)),
    memoryTable(memory),
    `## Bounds of Roster\n\n${markdownTable(['work', 'bound', 'measured', ''], verdicts)}`,
    // Figures of what does not run here.
    readFileSync(new URL('published.md', import.meta.url), 'utf8').trim(),
    ...(notes.length === 0 ? [] : [`## Notes\n\n${notes.map((note) => `- ${note}`).join('\n')}`]),
  ];
  return `${parts.join('\n\n')}\n`;
}
