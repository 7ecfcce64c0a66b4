import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { pin } from '../../harness/src/cpu.ts';
import { drawTargets, fill } from '../../harness/src/directory/data.ts';
import { chooseNames, readOptions } from '../../harness/src/options.ts';
import { until } from '../../harness/src/until.ts';
import { contestants, OURS, REFERENCE, Running } from './contestants.ts';
import { type Bench, withBench } from './database.ts';
import { judge, MEMORY_REQUESTS } from './judge.ts';
import { type Report, reportText } from './report.ts';
import { checkSame } from './same.ts';
import { measureMemory, runInTurns } from './turns.ts';
import { works } from './works.ts';

const { only, work, page, memory, profile, ...settings } = readOptions({
  rounds: 5,
  turns: 5,
  seconds: 1,
  warmUp: 3,
  connections: 64,
  agents: 100_000,
  pin: 'apart',
  only: undefined,
  work: undefined,
  memory: false,
  assert: false,
  page: false,
  profile: undefined,
});

const OFFICES = 1_000;
const SETTLING_MS = 3_600_000;

const results = new URL('../results/', import.meta.url);
const published = new URL('../../../docs/benchmark/README.md', import.meta.url);
const isPinned = settings.pin === 'apart' && availableParallelism() > 1;
const say = (line: string) => process.stderr.write(`${line}\n`);

/** The items of a list that a text with commas names; all without one. */
function choose<Item extends { name: string }>(option: string, list: Item[], text?: string): Item[] {
  const names = chooseNames(
    option,
    list.map(({ name }) => name),
    text,
  );
  return list.filter(({ name }) => names.includes(name));
}

// Without the reference there is nothing to compare with.
const chosen = {
  contestants: choose('only', contestants(), only && `${only},${REFERENCE}`),
  works: choose('work', works, work),
};

/** All contestants, started one after another; each is pinned when it listens. */
async function startAll(bench: Bench) {
  await using started = new AsyncDisposableStack();
  const servers: Running[] = [];
  const profiling = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(profile)}`];
  for (const contestant of chosen.contestants) {
    const server = started.use(new Running(bench, contestant, profiling));
    await server.start();
    if (isPinned) pin(server.pid, '0');
    await server.rest();
    servers.push(server);
    say(`started ${contestant.name}`);
  }
  return Object.assign(started.move(), { servers });
}

/** Lets Roster compare all records with each other, as it does once in the background; it is not what is measured. */
async function settle(server: Running, { client }: Bench): Promise<void> {
  const isSettled = async () => {
    const { rows } = await client.query('select from comparison having bool_and(is_complete)');
    return rows.length > 0;
  };
  const patience = { withinMs: SETTLING_MS, everyMs: 500 };
  await server.awake(() => until('all records are compared', isSettled, patience));
  say('Roster has compared all records');
}

/** The date and the machine, in a line. */
function describeMachine(): string {
  const date = new Date().toISOString().slice(0, 10);
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const system = `${type()} ${release()}, Node ${process.versions.node}`;
  return `${date}: ${cpus().length} cores of ${cpus()[0]?.model.trim()}, ${memory}, ${system}`;
}

async function measure(bench: Bench): Promise<Report> {
  const { client, postmaster } = bench;
  say(`filling ${settings.agents} agents`);
  await fill(client, { offices: OFFICES, agents: settings.agents });
  const targets = await drawTargets(client);
  await using started = await startAll(bench);
  const { servers } = started;
  for (const server of servers.filter(({ name }) => name === OURS)) await settle(server, bench);
  const options = { ...settings, works: chosen.works, servers, targets, client, postmaster, onProgress: say };
  const notes = await checkSame(options);
  say('all answer the same');
  if (isPinned) pin(process.pid, '1');
  const samples = await runInTurns(options);
  const { rows } = await client.query<{ version: string }>(
    `select current_setting('server_version') as version`,
  );
  return {
    ...chosen,
    settings,
    where: describeMachine(),
    database: `PostgreSQL ${rows[0]?.version}`,
    samples,
    memory: await measureMemory(options, memory || page ? MEMORY_REQUESTS : 0),
    notes,
  };
}

const report = await withBench(measure);
const text = reportText(report);
await mkdir(results, { recursive: true });
await writeFile(new URL('latest.md', results), text);
await writeFile(new URL('latest.json', results), `${JSON.stringify(report.samples, undefined, 1)}\n`);
if (page) await writeFile(published, text);
process.stdout.write(text);
say(`written to ${fileURLToPath(results)}`);
const isMet = judge(report.samples, report.memory).every((verdict) => verdict.isMet);
if (settings.assert && !isMet) process.exitCode = 1;
