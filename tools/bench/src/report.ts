import { readFileSync } from 'node:fs';
import { markdownTable } from '../../harness/src/markdown.ts';
import { quantileOf } from '../../harness/src/statistics.ts';
import { REFERENCE } from './contestants.ts';
import { judge, ratiosOf } from './judge.ts';
import type { Settings } from './settings.ts';
import type { Memory, Sample } from './turns.ts';
import { comparedWith, type Work } from './works.ts';

/** A run that is over. */
export interface Report {
  settings: Settings;
  /** Date and machine, in a line. */
  where: string;
  database: string;
  samples: Sample[];
  memory: Map<string, Memory>;
  notes: string[];
}

const whole = (value: number) => Math.round(value).toLocaleString('en-US');
const fixed = (value: number) => value.toFixed(2);
/** The median and, in brackets, the quartiles. */
const spread = (values: number[], text: (value: number) => string) =>
  values.length === 0
    ? '–'
    : `${text(quantileOf(values, 0.5))} (${text(quantileOf(values, 0.25))} … ${text(quantileOf(values, 0.75))})`;

const HEAD = 'contestant, requests/s, ratio, server CPU µs, database CPU µs, p50 ms, p99 ms, failures'.split(
  ', ',
);

function workTable(work: Work, { samples, settings }: Report): string {
  const rows = settings.contestants.flatMap(({ name: contestant, title }) => {
    const mine = samples.filter((sample) => sample.contestant === contestant && sample.work === work.name);
    if (mine.length === 0) return [];
    const figure = (name: 'ratePerS' | 'serverUs' | 'databaseUs' | 'p50Ms' | 'p99Ms') =>
      spread(
        mine.map((sample) => sample[name]).filter((value) => value !== undefined),
        whole,
      );
    const reference = { contestant: REFERENCE, work: comparedWith(work.name) };
    const ratio = spread(ratiosOf(samples, { contestant, work: work.name }, reference), fixed);
    const failures = mine.reduce((sum, sample) => sum + sample.failures, 0);
    return [
      [
        title,
        figure('ratePerS'),
        ratio,
        figure('serverUs'),
        figure('databaseUs'),
        figure('p50Ms'),
        figure('p99Ms'),
        failures,
      ],
    ];
  });
  return `## ${work.title}\n\n${markdownTable(HEAD, rows)}`;
}

function memoryTable({ memory, settings }: Report): string {
  const rows = settings.contestants.map(({ name, title }) => {
    const { bytes, requests } = memory.get(name) ?? { bytes: 0, requests: 0 };
    return [title, whole(bytes / 1e6), whole(requests)];
  });
  return `## Resident memory at the end, MB\n\n${markdownTable(['contestant', 'MB', 'after so many requests'], rows)}`;
}

/** The report as Markdown. */
export function reportText(report: Report): string {
  const { settings, where, database, samples, memory, notes } = report;
  const { agents, rounds, turns, seconds, connections, pin } = settings;
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
    ...settings.works.map((work) => workTable(work, report)),
    memoryTable(report),
    `## Bounds of Roster\n\n${markdownTable(['work', 'bound', 'measured', ''], verdicts)}`,
    // Figures of what does not run here.
    readFileSync(new URL('published.md', import.meta.url), 'utf8').trim(),
    ...(notes.length === 0 ? [] : [`## Notes\n\n${notes.map((note) => `- ${note}`).join('\n')}`]),
  ];
  return `${parts.join('\n\n')}\n`;
}
