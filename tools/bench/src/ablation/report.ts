import type { CpuTimes } from '../cpu.ts';
import { medianOf, quantileOf } from '../figures.ts';
import type { Work } from '../operations.ts';
import { markdownTable } from '../table-text.ts';
import type { Turn } from './pairs.ts';
import type { Settings } from './settings.ts';
import type { Variant } from './variants.ts';

/** Everything a report says. */
export interface Report extends Settings {
  date: string;
  machine: string;
  database: string;
  measured: Turn[];
}

const HEAD = [
  'taken out',
  'server: µs saved',
  '%',
  '%, quartiles',
  'PostgreSQL: µs saved',
  '%',
  '%, quartiles',
];

/** The share of everything's CPU that the variant of a turn does without; NaN where it was not measured. */
export const savedShare =
  (name: keyof CpuTimes) =>
  ({ left, everything }: Turn): number =>
    1 - (left[name] ?? Number.NaN) / (everything[name] ?? Number.NaN);

const percent = (share: number) => (share * 100).toFixed(0);

/** What a variant saves of a cost: microseconds, the share in percent, and its quartiles. */
function savedCells(turns: Turn[], name: keyof CpuTimes, everythingUs: number): string[] {
  const shares = turns.map(savedShare(name));
  const share = medianOf(shares);
  const [low, high] = [quantileOf(shares, 0.25), quantileOf(shares, 0.75)];
  return [(share * everythingUs).toFixed(1), percent(share), `${percent(low)} … ${percent(high)}`];
}

function workTable(work: Work, { variants, measured }: Report): string {
  const mine = measured.filter((turn) => turn.work === work.name);
  const serverUs = medianOf(mine.map(({ everything }) => everything.serverUs));
  const databaseUs = medianOf(mine.map(({ everything }) => everything.databaseUs ?? Number.NaN));
  const rows = variants.flatMap(({ name, title }: Variant) => {
    const own = mine.filter(({ variant }) => variant === name);
    if (own.length === 0) return [];
    const saved = [...savedCells(own, 'serverUs', serverUs), ...savedCells(own, 'databaseUs', databaseUs)];
    return [[`${title} (\`${name}\`)`, ...saved]];
  });
  const text = `Everything on: ${serverUs.toFixed(0)} µs of the server and ${databaseUs.toFixed(0)} µs of PostgreSQL a request.`;
  return `## ${work.title}\n\n${text}\n\n${markdownTable(HEAD, rows)}`;
}

function method({ agents, rounds, turns, seconds, connections, pin, database }: Report): string {
  return [
    `CPU per request of the server's bundle with one part taken out at a time, and of PostgreSQL (${database}, ${agents.toLocaleString('en-US')} agents).`,
    'Each variant runs beside a server with everything on that was started at the same time, in turns of a fraction of a second (A B B A),',
    'so that a machine whose speed changes is as fast for both; the one that does not run is stopped. Each of the two has',
    `${rounds > 1 ? `${rounds} × ` : ''}${turns} turns of ${seconds * 1_000} ms at the peak of ${connections} keep-alive connections; cores: ${pin}. *Saved* is the median of what a turn saves, and`,
    'the quartiles are those of the turns: what lies between two quartiles of different signs is not resolved. Parts overlap and do not',
    'add up. `control` takes out nothing: what it saves is the error of a pair, because two processes of the same code differ.',
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
