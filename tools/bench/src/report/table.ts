import { readFileSync } from 'node:fs';
import type { Work } from '../../../harness/src/directory/operations.ts';
import { markdownTable } from '../../../harness/src/markdown.ts';
import type { Spread } from '../../../harness/src/statistics.ts';
import type { Contestant } from '../contestants.ts';
import type { Memory } from '../runs.ts';
import { MEMORY_REQUESTS, type Verdict } from './bounds.ts';
import type { Figure } from './figures.ts';

/** Everything a report says. */
export interface Report {
  date: string;
  machine: string;
  database: string;
  agents: number;
  rounds: number;
  turns: number;
  seconds: number;
  connections: number;
  pinning: string;
  works: Work[];
  contestants: Contestant[];
  figures: Figure[];
  memory: Map<string, Memory>;
  verdicts: Verdict[];
  notes: string[];
}

const whole = (value: number) => Math.round(value).toLocaleString('en-US');
const fixed = (digits: number) => (value: number) => value.toFixed(digits);
const median = (spread: Spread | undefined, text: (value: number) => string) =>
  spread === undefined ? '–' : text(spread.median);
const range = (spread: Spread | undefined, text: (value: number) => string) =>
  spread === undefined ? '–' : `${text(spread.low)} … ${text(spread.high)}`;

const HEAD = [
  'contestant',
  'requests/s',
  'ratio',
  'server CPU µs',
  'database CPU µs',
  'p50 ms',
  'p99 ms',
  'ratio, quartiles',
  'requests/s, quartiles',
  'failures',
];

function workTable(work: Work, { figures, contestants }: Report): string {
  const titles = new Map(contestants.map(({ name, title }) => [name, title]));
  const rows = figures
    .filter((figure) => figure.work === work.name)
    .map((figure) => [
      titles.get(figure.contestant) ?? figure.contestant,
      whole(figure.ratePerS.median),
      median(figure.ratio, fixed(2)),
      whole(figure.serverUs.median),
      median(figure.databaseUs, whole),
      median(figure.p50Ms, fixed(2)),
      median(figure.p99Ms, fixed(2)),
      range(figure.ratio, fixed(2)),
      range(figure.ratePerS, whole),
      whole(figure.failures),
    ]);
  return `## ${work.title}\n\n${markdownTable(HEAD, rows)}\n\n![${work.title}](${plotFile(work)})`;
}

/** The file of the plot of a work. */
export function plotFile({ name }: Work): string {
  return `throughput-${name}.svg`;
}

function memoryTable({ memory, contestants }: Report): string {
  const rows = contestants.flatMap(({ name, title }) => {
    const found = memory.get(name);
    return found === undefined ? [] : [[title, whole(found.bytes / 1e6), whole(found.requests)]];
  });
  return `## Resident memory at the end, MB\n\n${markdownTable(['contestant', 'MB', 'after so many requests'], rows)}`;
}

function verdictTable({ verdicts }: Report): string {
  const rows = verdicts.map(({ claim, bound, measured, isMet }) => [
    claim,
    bound,
    measured,
    isMet ? 'met' : 'not met',
  ]);
  const text = `CPU is bounded as a share of what the reference needs in the same run; in brackets what it was on the machine on which
the bounds were set, and what it is here. The memory is that after at least ${whole(MEMORY_REQUESTS)} requests.`;
  return `## Bounds of Roster\n\n${text}\n\n${markdownTable(['work', 'bound', 'measured', ''], rows)}`;
}

function method({ agents, rounds, turns, seconds, connections, pinning, database }: Report): string {
  return [
    `One ${database} with ${whole(agents)} agents; ${rounds} rounds of all works. In each round the contestants run in ${turns} turns of ${seconds} s,`,
    `one after another, so that a machine whose speed changes is as fast for all; ${connections} keep-alive connections; cores: ${pinning}. All figures are`,
    'medians over the turns; a ratio is the rate by that of the hand-written `node:http` + `pg` pool in the same turn. RPC is compared',
    'with its REST, a batch get by get. CPU is per operation. Latency is of an open loop at 60 % of the peak of the reference in the same',
    'round, the same rate for all; who does not reach that rate has none. [tools/bench](../../tools/bench/README.md) says what is fair',
    'and what is not; [where the microseconds go](ablation.md) takes Roster apart, and [from a thousand agents to millions](scale.md)',
    'fills it.',
  ].join('\n');
}

/** The report as Markdown. */
export function reportText(report: Report): string {
  const { date, machine, works, notes } = report;
  const parts = [
    '# Roster and its peers',
    `${date}: ${machine}.`,
    method(report),
    ...works.map((work) => workTable(work, report)),
    memoryTable(report),
    verdictTable(report),
    // Figures of what does not run here.
    readFileSync(new URL('published.md', import.meta.url), 'utf8').trim(),
    ...(notes.length === 0 ? [] : [`## Notes\n\n${notes.map((note) => `- ${note}`).join('\n')}`]),
  ];
  return `${parts.join('\n\n')}\n`;
}
