import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { pin } from '../../harness/src/cpu.ts';
import { drawTargets, fill } from '../../harness/src/directory/data.ts';
import { chooseNames, readOptions } from '../../harness/src/options.ts';
import { contestants, OURS, REFERENCE, Running } from './contestants.ts';
import { type Bench, waitUntilCompared, withBench } from './database.ts';
import { judge, MEMORY_REQUESTS } from './judge.ts';
import { describeMachine, pageText, type Report, reportText, withSection } from './report.ts';
import { checkSame } from './same.ts';
import { measureMemory, runInTurns, say } from './turns.ts';
import { works } from './works.ts';

const { only, work, page, memory, ...settings } = readOptions({
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
  page: false,
});

const OFFICES = 1_000;

const results = new URL('../results/', import.meta.url);
const published = new URL('../../../docs/benchmark.md', import.meta.url);
const isPinned = settings.pin === 'apart' && availableParallelism() > 1;

const all = contestants();
const nameOf = ({ name }: { name: string }) => name;
// Without the reference there is nothing to compare with.
const names = chooseNames('only', all.map(nameOf), only && `${only},${REFERENCE}`);
const workNames = chooseNames('work', works.map(nameOf), work);
const chosen = {
  contestants: all.filter(({ name }) => names.includes(name)),
  works: works.filter(({ name }) => workNames.includes(name)),
};

async function measure(bench: Bench): Promise<Report> {
  const { client, postmaster } = bench;
  say(`filling ${settings.agents} agents`);
  await fill(client, { offices: OFFICES, agents: settings.agents });
  const targets = await drawTargets(client);
  await using started = new AsyncDisposableStack();
  const servers = chosen.contestants.map((contestant) => started.use(new Running(bench, contestant)));
  for (const server of servers) {
    await server.start();
    if (isPinned) pin(server.pid, '0');
    await server.rest();
    say(`started ${server.name}`);
  }
  // It is not what is measured.
  await servers.find(({ name }) => name === OURS)?.awake(() => waitUntilCompared(client));
  say('Roster has compared all records');
  const options = { ...settings, works: chosen.works, servers, targets, client, postmaster };
  const notes = await checkSame(options);
  say('all return the same');
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
process.stdout.write(text);
say(`written to ${fileURLToPath(results)}`);
for (const { work, bound, measured, isMet } of judge(report.samples)) {
  if (isMet) continue;
  say(
    `${work} is below its bound: ${measured.toFixed(2)} times the rate of the reference instead of ${bound}`,
  );
  process.exitCode = 1;
}
if (page) await writeFile(published, withSection(await readFile(published, 'utf8'), pageText(report)));
