import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { pin, pinGenerator, pinningOf } from '../../harness/src/cpu.ts';
import { drawTargets, fill } from '../../harness/src/directory/data.ts';
import { OURS } from './contestants.ts';
import { type Bench, openBench, postmasterOf } from './database.ts';
import { interruptible } from './interrupt.ts';
import { machineLine } from './machine.ts';
import { judge, MEMORY_REQUESTS } from './report/bounds.ts';
import { figuresOf } from './report/figures.ts';
import { barPlot } from './report/plot.ts';
import type { Sample } from './report/sample.ts';
import { plotFile, type Report, reportText } from './report/table.ts';
import { type Memory, memoryOf, type RunOptions, runInterleaved, servedBy, serveMore } from './runs.ts';
import { checkSame } from './same.ts';
import { ServerProcess } from './server-process.ts';
import { readSettings, type Settings } from './settings.ts';

const OFFICES = 1_000;
const results = new URL('../results/', import.meta.url);
const published = new URL('../../../docs/benchmark/', import.meta.url);
const say = (line: string) => process.stderr.write(`${line}\n`);

/** All contestants, started one after another; each is pinned when it listens. */
async function startAll({ contestants, profile }: Settings, databaseUrl: string, cores: string | undefined) {
  await using started = new AsyncDisposableStack();
  const servers: ServerProcess[] = [];
  for (const contestant of contestants) {
    const isProfiled = profile !== undefined && contestant.name === OURS;
    const nodeFlags = isProfiled ? ['--cpu-prof', `--cpu-prof-dir=${resolve(profile)}`] : [];
    servers.push(started.use(await ServerProcess.start(contestant, { databaseUrl, cores, nodeFlags })));
    say(`started ${contestant.name}`);
  }
  return Object.assign(started.move(), { servers });
}

async function measure(settings: Settings, bench: Bench) {
  const { client } = bench;
  say(`filling ${settings.agents} agents`);
  await fill(client, { offices: OFFICES, agents: settings.agents });
  const targets = await drawTargets(client);
  const pinning = pinningOf(settings.pin, availableParallelism());
  const postmaster = await postmasterOf(client);
  if (pinning.postgres !== undefined && postmaster !== undefined) pin(postmaster, pinning.postgres);
  await using started = await startAll(settings, bench.url, pinning.server);
  const { servers } = started;
  const notes = await checkSame({ servers, works: settings.works, targets, client });
  say('all answer the same');
  pinGenerator(pinning);
  const options = { ...settings, servers, targets, client, postmaster, onProgress: say };
  const samples = await runInterleaved(options);
  const more = settings.memory ? await fillUp(options, samples) : 0;
  return { samples, notes, memory: memoryOf(servers, samples, more) };
}

/** Lets Roster answer what it still lacks of the requests after which its memory is judged. Answers how many those were. */
async function fillUp(options: RunOptions, samples: Sample[]): Promise<number> {
  const server = options.servers.find(({ contestant }) => contestant.name === OURS);
  const requests = servedBy(OURS, samples);
  return server === undefined
    ? 0
    : await serveMore(options, { server, requests: MEMORY_REQUESTS - requests });
}

function reportOf(
  settings: Settings,
  bench: Bench,
  { samples, notes, memory }: { samples: Sample[]; notes: string[]; memory: Map<string, Memory> },
): Report {
  return {
    ...settings,
    date: new Date().toISOString().slice(0, 10),
    machine: machineLine(),
    database: bench.version,
    pinning: settings.pin,
    figures: figuresOf(samples),
    memory,
    verdicts: judge(samples, memory),
    notes,
  };
}

/** Writes the report and a plot of each work into a folder. */
async function writePage(folder: URL, name: string, report: Report): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(new URL(name, folder), reportText(report));
  for (const work of report.works) {
    const bars = report.figures
      .filter((figure) => figure.work === work.name)
      .map(({ contestant, ratePerS }) => ({
        label: contestant,
        value: ratePerS,
        isOurs: contestant === OURS,
      }));
    const plot = barPlot({ title: work.title, unit: 'operations a second', bars });
    await writeFile(new URL(plotFile(work), folder), plot);
  }
}

const settings = readSettings(process.argv.slice(2));
await using bench = await openBench(process.env.BENCH_DATABASE_URL);
const measured = await interruptible(measure(settings, bench));
const report = reportOf(settings, bench, measured);
await writePage(results, 'latest.md', report);
await writeFile(new URL('latest.json', results), `${JSON.stringify(measured.samples, undefined, 1)}\n`);
if (settings.page) await writePage(published, 'README.md', report);
process.stdout.write(reportText(report));
say(`written to ${fileURLToPath(results)}`);
if (settings.assert && report.verdicts.some(({ isMet }) => !isMet)) process.exitCode = 1;
