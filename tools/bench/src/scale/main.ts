import { mkdir, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import process from 'node:process';
import { chooseNames, readOptions } from '../../../harness/src/options.ts';
import { type Bench, openBench } from '../database.ts';
import { interruptible } from '../interrupt.ts';
import { machineLine } from '../machine.ts';
import { type FillResult, fill } from './fill.ts';
import { fillHistory } from './history.ts';
import { countStats, type LongRun } from './long-runs.ts';
import { dropSystemCache, longRuns, type Timing, timings } from './measure.ts';
import { probeNames } from './probes.ts';
import { judgeScale, type Stage, scaleText } from './report.ts';

const SIZES = [1_000, 100_000, 1_000_000, 10_000_000];
const results = new URL('../../results/', import.meta.url);
const page = new URL('../../../../docs/benchmark/scale.md', import.meta.url);
const say = (line: string) => process.stderr.write(`${line}\n`);

/** What PostgreSQL is told: statements are counted with their planning, and memory is as much as a server would give. */
const STATISTICS = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_planning': 'on',
  shared_buffers: '4GB',
};

/** '100k', '1m' or a number. */
function sizeOf(text: string): number {
  const [, digits, unit = ''] = /^(\d+)([km]?)$/i.exec(text) ?? [];
  if (digits === undefined) throw new Error(`--max must be a number such as 100k or 10m, and is "${text}"`);
  return Number(digits) * ({ k: 1_000, m: 1_000_000 }[unit.toLowerCase()] ?? 1);
}

/** Says what the next size will take, from what the last one did. */
async function estimate(filled: FillResult, agents: number): Promise<void> {
  const share = (agents - filled.agents) / filled.agents;
  const { bavail, bsize } = await statfs(tmpdir());
  const gib = (bytes: number) => (bytes / 2 ** 30).toFixed(1);
  const needed = filled.bytes * (1 + share);
  // The write-ahead log of the load and of the indexes comes on top, up to max_wal_size.
  say(
    `${agents} agents: about ${(filled.seconds * share).toFixed(0)} s, ${gib(needed)} GiB; free are ${gib(bavail * bsize)} GiB`,
  );
}

/** What takes seconds, as `--only` names it. */
const LONG_RUNS = 'long runs';

interface Chosen {
  operations: Timing['operation'][];
  hasLongRuns: boolean;
}

function chosenOf(text: string | undefined): Chosen {
  const names = chooseNames('only', [...probeNames, LONG_RUNS], text);
  return { operations: names.filter((name) => name !== LONG_RUNS), hasLongRuns: names.includes(LONG_RUNS) };
}

/** Fills the tables size by size, and measures each. */
async function measure(bench: Bench, sizes: number[], { operations, hasLongRuns }: Chosen): Promise<Stage[]> {
  const total = sizes.at(-1) ?? 0;
  const stages: Stage[] = [];
  for (const agents of sizes) {
    const last = stages.at(-1)?.filled;
    if (last !== undefined && last.agents >= 100_000) await estimate(last, agents);
    const filled = await fill(bench, agents, total);
    say(`${agents} agents after ${filled.seconds.toFixed(0)} s`);
    await fillHistory(bench.client);
    const counting: LongRun = await countStats(bench.url);
    const measured = await timings(bench, operations, say);
    const others = hasLongRuns ? await longRuns(bench, say) : [];
    stages.push({ filled, timings: measured, longRuns: [counting, ...others] });
  }
  return stages;
}

const values = readOptions({ max: '1m', only: undefined, assert: false, page: false });
const chosen = chosenOf(values.only);
if (values.assert && values.only !== undefined)
  throw new Error('--assert needs all operations, without --only');
const sizes = SIZES.filter((size) => size <= sizeOf(values.max));
await using bench = await openBench(undefined, STATISTICS);
await bench.client.query('create extension pg_stat_statements');
const stages = await interruptible(measure(bench, sizes, chosen));
const text = scaleText({
  date: new Date().toISOString().slice(0, 10),
  machine: machineLine(),
  database: bench.version,
  isSystemCacheDropped: dropSystemCache(),
  stages,
});
await mkdir(results, { recursive: true });
await writeFile(new URL('scale.md', results), text);
if (values.page) await writeFile(page, text);
process.stdout.write(text);
if (values.assert && judgeScale(stages).some(({ isMet }) => !isMet)) process.exitCode = 1;
