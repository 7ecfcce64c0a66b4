import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { MALLOC_SETTINGS, NODE_FLAGS } from '../../../../apps/server/scripts/memory-flags.ts';
import { KEY } from '../contestants.ts';
import { pin, pinGenerator, pinningOf } from '../cpu.ts';
import { drawTargets, fill, type Targets } from '../data.ts';
import { type Bench, openBench, postmasterOf } from '../database.ts';
import { rosterDialects } from '../dialects.ts';
import { medianOf } from '../figures.ts';
import { interruptible } from '../interrupt.ts';
import { machineLine } from '../machine.ts';
import { isWrite, streamsOf, type Work } from '../operations.ts';
import { ask, comparable, difference } from '../same.ts';
import { startServer } from '../server-process.ts';
import { buildVariant } from './build.ts';
import { copyFor } from './copies.ts';
import { runPair, type Started, type Turn } from './pairs.ts';
import { reportText, savedShare } from './report.ts';
import { readSettings, type Settings } from './settings.ts';
import { everything, type Variant } from './variants.ts';

const OFFICES = 1_000;
/** Room for the copies of the database. */
const DATABASE_SETTINGS = { shared_buffers: '1GB' };
const results = new URL('../../results/', import.meta.url);
const page = new URL('../../../../docs/benchmark/ablation.md', import.meta.url);
const say = (line: string) => process.stderr.write(`${line}\n`);

/** The file to start for each variant; those without edits share that of everything. */
async function buildAll(variants: Variant[]): Promise<Map<string, string>> {
  const files = new Map([[everything.name, await buildVariant(everything)]]);
  for (const variant of variants) {
    const isOwn = variant.edits !== undefined;
    files.set(variant.name, isOwn ? await buildVariant(variant) : (files.get(everything.name) as string));
  }
  return files;
}

interface StartOptions {
  bench: Bench;
  files: Map<string, string>;
  cores: string | undefined;
  /** Whether it has a copy of the database. */
  isCopied: boolean;
}

/** Starts a variant. */
async function start(variant: Variant, { bench, files, cores, isCopied }: StartOptions) {
  await using begun = new AsyncDisposableStack();
  const { name, title, env } = variant;
  const { url, client } = isCopied ? begun.use(await copyFor(variant, bench)) : bench;
  const own = { PORT: '0', ROSTER_ADMIN_KEY: KEY, ROSTER_RATE_LIMIT: '1000000000', ...env };
  const contestant = {
    ...{ name, title, file: files.get(name) ?? '', flags: NODE_FLAGS, env: { ...MALLOC_SETTINGS, ...own } },
    dialects: rosterDialects,
  };
  const server = begun.use(await startServer(contestant, { databaseUrl: url, cores }));
  return Object.assign(begun.move(), { server, client });
}

/** Throws if a variant answers otherwise than everything. */
async function checkSame(pair: Started[], works: Work[], targets: Targets): Promise<void> {
  for (const work of works) {
    let expected: Record<string, unknown>[] | undefined;
    for (const { server, client } of pair) {
      const [next] = await streamsOf(work, { targets, connections: 1, client });
      server.wake();
      const operation = (next as NonNullable<typeof next>)();
      const records = comparable(await ask(server, rosterDialects[work.protocol], operation), work);
      server.sleep();
      expected ??= records;
      if (records.length === 0 || !isDeepStrictEqual(records, expected))
        throw new Error(`${server.contestant.name}, ${work.name}: ${difference(expected, records)}`);
    }
  }
}

/** The works of a variant that are asked for, reads first: they find the database as it was filled. */
function worksOf({ works: names }: Variant, { works }: Settings): Work[] {
  return works
    .filter(({ name }) => names.includes(name))
    .toSorted((one, other) => Number(isWrite(one)) - Number(isWrite(other)));
}

async function measure(settings: Settings, bench: Bench): Promise<Turn[]> {
  // First: a piece that is no longer in the sources is told at once.
  const files = await buildAll(settings.variants);
  say(`filling ${settings.agents} agents`);
  await fill(bench.client, { offices: OFFICES, agents: settings.agents });
  const targets = await drawTargets(bench.client);
  const pinning = pinningOf(settings.pin, availableParallelism());
  const postmaster = await postmasterOf(bench.client);
  if (pinning.postgres !== undefined && postmaster !== undefined) pin(postmaster, pinning.postgres);
  pinGenerator(pinning);
  const turns: Turn[] = [];
  for (let round = 0; round < settings.rounds; round += 1) {
    for (const variant of settings.variants) {
      const works = worksOf(variant, settings);
      const options = { bench, files, cores: pinning.server, isCopied: works.some(isWrite) };
      await using whole = await start(everything, options);
      await using part = await start(variant, options);
      if (round === 0) await checkSame([whole, part], works, targets);
      for (const work of works) {
        const mine = await runPair(
          { everything: whole, variant: part },
          { ...settings, work, targets, postmaster },
        );
        turns.push(...mine);
        const saved = medianOf(mine.map(savedShare('serverUs')));
        say(`${round + 1}/${settings.rounds} ${variant.name} ${work.name}: ${(saved * 100).toFixed(0)} %`);
      }
    }
  }
  return turns;
}

const settings = readSettings(process.argv.slice(2));
await using bench = await openBench(undefined, DATABASE_SETTINGS);
const measured = await interruptible(measure(settings, bench));
const date = new Date().toISOString().slice(0, 10);
const text = reportText({ ...settings, measured, date, machine: machineLine(), database: bench.version });
await mkdir(results, { recursive: true });
await writeFile(new URL('ablation.md', results), text);
await writeFile(new URL('ablation.json', results), `${JSON.stringify(measured, undefined, 1)}\n`);
if (settings.isPublished) await writeFile(page, text);
process.stdout.write(text);
say(`written to ${fileURLToPath(results)}`);
