import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { pin } from '../../harness/src/cpu.ts';
import { drawTargets, fill } from '../../harness/src/directory/data.ts';
import { until } from '../../harness/src/until.ts';
import { OURS } from './contestants.ts';
import { type Bench, openBench, postmasterOf } from './database.ts';
import { interruptible } from './interrupt.ts';
import { judge, MEMORY_REQUESTS } from './judge.ts';
import { type Report, reportText } from './report.ts';
import { checkSame } from './same.ts';
import { ServerProcess } from './server-process.ts';
import { readSettings, type Settings } from './settings.ts';
import { measureMemory, runInTurns } from './turns.ts';

const OFFICES = 1_000;
const SETTLING_MS = 3_600_000;

const results = new URL('../results/', import.meta.url);
const published = new URL('../../../docs/benchmark/README.md', import.meta.url);
const say = (line: string) => process.stderr.write(`${line}\n`);

/** All contestants, started one after another; each is pinned when it listens. */
async function startAll({ contestants, profile }: Settings, databaseUrl: string, isPinned: boolean) {
  await using started = new AsyncDisposableStack();
  const servers: ServerProcess[] = [];
  for (const contestant of contestants) {
    const isProfiled = profile !== undefined && contestant.name === OURS;
    const nodeFlags = isProfiled ? ['--cpu-prof', `--cpu-prof-dir=${resolve(profile)}`] : [];
    const server = started.use(await ServerProcess.start(contestant, { databaseUrl, nodeFlags }));
    if (isPinned) pin(server.pid, '0');
    servers.push(server);
    say(`started ${contestant.name}`);
  }
  return Object.assign(started.move(), { servers });
}

/** Lets Roster compare all records with each other, as it does once in the background; it is not what is measured. */
async function settle(server: ServerProcess | undefined, { client }: Bench): Promise<void> {
  if (server === undefined) return;
  server.resume();
  const isSettled = async () => {
    const { rows } = await client.query('select from comparison having bool_and(is_complete)');
    return rows.length > 0;
  };
  await until('all records are compared', isSettled, { withinMs: SETTLING_MS, everyMs: 500 });
  server.pause();
}

/** The date and the machine, in a line. */
function whereabouts(): string {
  const [cpu] = cpus();
  const system = `${type()} ${release()}, Node ${process.versions.node}`;
  const machine = `${cpus().length} cores of ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  return `${new Date().toISOString().slice(0, 10)}: ${machine}, ${system}`;
}

async function measure(settings: Settings, bench: Bench): Promise<Report> {
  const { client } = bench;
  say(`filling ${settings.agents} agents`);
  await fill(client, { offices: OFFICES, agents: settings.agents });
  const targets = await drawTargets(client);
  const postmaster = await postmasterOf(client);
  const isPinned = settings.pin === 'apart' && availableParallelism() > 1;
  await using started = await startAll(settings, bench.url, isPinned);
  const { servers } = started;
  await settle(
    servers.find(({ contestant }) => contestant.name === OURS),
    bench,
  );
  say('Roster has compared all records');
  const notes = await checkSame({ servers, works: settings.works, targets, client });
  say('all answer the same');
  if (isPinned) pin(process.pid, '1');
  const options = { ...settings, servers, targets, client, postmaster, onProgress: say };
  const samples = await runInTurns(options);
  const memory = await measureMemory(options, samples, settings.memory ? MEMORY_REQUESTS : 0);
  return { settings, where: whereabouts(), database: bench.version, samples, memory, notes };
}

const settings = readSettings(process.argv.slice(2));
await using bench = await openBench(process.env.BENCH_DATABASE_URL);
const report = await interruptible(measure(settings, bench));
const text = reportText(report);
await mkdir(results, { recursive: true });
await writeFile(new URL('latest.md', results), text);
await writeFile(new URL('latest.json', results), `${JSON.stringify(report.samples, undefined, 1)}\n`);
if (settings.page) await writeFile(published, text);
process.stdout.write(text);
say(`written to ${fileURLToPath(results)}`);
const isMet = judge(report.samples, report.memory).every((verdict) => verdict.isMet);
if (settings.assert && !isMet) process.exitCode = 1;
