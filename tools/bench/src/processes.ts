import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Client } from 'pg';
import { contestants, KEY, OURS } from './contestants.ts';
import { cpuOf, pin, pinGenerator, pinningOf, residentOf } from './cpu.ts';
import { limitCpu } from './cpu-quota.ts';
import { drawTargets, fill, type Targets } from './data.ts';
import { type Bench, openBench } from './database.ts';
import { rest, textOf } from './dialects.ts';
import { type Spread, spreadOf } from './figures.ts';
import { interruptible } from './interrupt.ts';
import { closedLoop } from './load.ts';
import { machineLine } from './machine.ts';
import { isWrite, streamsOf, type Work, works } from './operations.ts';
import { forgetWrites } from './reset.ts';
import { type ServerProcess, startServer } from './server-process.ts';

/**
 * The throughput of two server processes (ROSTER_PROCESSES=2) by that of one: `npm --prefix tools/bench run processes`. Each process has the same
 * part of a core, so that neither the generator nor PostgreSQL is the limit on a machine with two cores.
 */

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    agents: { type: 'string', default: '20000' },
    share: { type: 'string', default: '0.25' },
    assert: { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
  },
});
const [rounds, seconds, agents, share] = [values.rounds, values.seconds, values.agents, values.share].map(
  Number,
) as [number, number, number, number];

const CONNECTIONS = 64;
const COUNTS = [1, 2] as const;
const BOUND = 1.7;
/** Without a limit. */
const WARM_UP_S = 5;
const REFRESH_S = 0.5;

const measured = works.filter(({ name }) => ['get', 'list', 'create'].includes(name));
const say = (line: string) => process.stderr.write(`${line}\n`);

/** A server, and those of its processes that handle requests. */
interface Server {
  process: ServerProcess;
  pids: number[];
}

interface Sample {
  work: string;
  count: number;
  round: number;
  ratePerS: number;
  /** The part of a core that each process has used. */
  used: number[];
  failures: number;
}

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

async function start(count: number, databaseUrl: string, cleanUp: AsyncDisposableStack): Promise<Server> {
  const ours = contestants().find(({ name }) => name === OURS);
  if (ours === undefined) throw new Error('ours is not among the contestants');
  const env = { ...ours.env, ROSTER_PROCESSES: String(count) };
  const options = { databaseUrl, cores: undefined };
  const server = await startServer({ ...ours, name: `${OURS}-${count}`, env }, options);
  const pids = count === 1 ? [server.pid] : childrenOf(server.pid);
  if (pids.length !== count) throw new Error(`there are ${pids.length} processes, not ${count}`);
  cleanUp.use(server);
  cleanUp.defer(() => signal({ process: server, pids }, 'SIGCONT'));
  const { server: cores } = pinningOf('apart', availableParallelism());
  if (cores !== undefined) for (const pid of pids) pin(pid, cores);
  signal({ process: server, pids }, 'SIGSTOP');
  return { process: server, pids };
}

function signal({ process: server, pids }: Server, name: NodeJS.Signals): void {
  for (const pid of new Set([server.pid, ...pids])) process.kill(pid, name);
}

async function peakOf(server: Server, work: Work, at: { targets: Targets; client: Client }, time: number) {
  const streams = await streamsOf(work, { ...at, connections: CONNECTIONS });
  const sources = streams.map((next) => () => textOf(rest.messageOf(next()), KEY));
  return closedLoop({ port: server.process.port, sources, seconds: time });
}

async function measure({ url, client }: Bench, cleanUp: AsyncDisposableStack) {
  say(`filling ${agents} agents`);
  await fill(client, { offices: 1_000, agents });
  const at = { client, targets: await drawTargets(client) };
  const servers: Server[] = [];
  const removals: (() => void)[] = [];
  // After the servers have ended.
  cleanUp.defer(() => {
    for (const remove of removals) remove();
  });
  for (const count of COUNTS) servers.push(await start(count, url, cleanUp));
  pinGenerator(pinningOf('apart', availableParallelism()));
  for (const server of servers) {
    signal(server, 'SIGCONT');
    for (const work of measured) await peakOf(server, work, at, WARM_UP_S);
    signal(server, 'SIGSTOP');
    for (const pid of server.pids) removals.push(limitCpu(pid, share));
  }
  await forgetWrites(client);
  const samples: Sample[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const work of measured) {
      for (const server of servers) {
        signal(server, 'SIGCONT');
        await peakOf(server, work, at, REFRESH_S);
        const before = server.pids.map(cpuOf);
        const peak = await peakOf(server, work, at, seconds);
        const used = server.pids.map(
          (pid, index) => (cpuOf(pid) - (before[index] ?? 0)) / 1e6 / peak.seconds,
        );
        signal(server, 'SIGSTOP');
        const { answers, failures } = peak;
        const ratePerS = answers / peak.seconds;
        samples.push({ work: work.name, count: server.pids.length, round, ratePerS, used, failures });
        const parts = used.map((part) => `${(part * 100).toFixed(0)} %`).join(', ');
        say(`${round + 1}/${rounds} ${work.name} ${server.pids.length}: ${ratePerS.toFixed(0)}/s (${parts})`);
        if (isWrite(work)) await forgetWrites(client);
        await pause(50);
      }
    }
  }
  const memory = servers.map(({ process: { pid }, pids }) => ({
    primary: residentOf(pid),
    each: pids.map(residentOf),
  }));
  return { samples, memory };
}

const whole = (value: number) => Math.round(value).toLocaleString('en');
const mib = (bytes: number) => `${whole(bytes / 2 ** 20)} MiB`;

/** What two processes reached of what one reached in the same round. */
function ratioOf(samples: Sample[], work: string): Spread {
  const of = (count: number) =>
    samples
      .filter((sample) => sample.work === work && sample.count === count)
      .map(({ ratePerS }) => ratePerS);
  const ones = of(1);
  return spreadOf(of(2).map((rate, round) => rate / (ones[round] ?? Number.NaN))) as Spread;
}

function pageOf(version: string, { samples, memory }: Awaited<ReturnType<typeof measure>>): string {
  const rows = measured.map(({ name, title }) => {
    const cells = COUNTS.flatMap((count) => {
      const own = samples.filter((sample) => sample.work === name && sample.count === count);
      const used = own.flatMap((sample) => sample.used);
      return [
        whole(spreadOf(own.map(({ ratePerS }) => ratePerS))?.median ?? 0),
        `${((spreadOf(used)?.median ?? 0) * 100).toFixed(0)} %`,
      ];
    });
    const { median, min, max } = ratioOf(samples, name);
    return `| ${[title, ...cells, `**${median.toFixed(2)}**`, `${min.toFixed(2)} … ${max.toFixed(2)}`].join(' | ')} |`;
  });
  const [one, two] = memory;
  const failures = samples.reduce((sum, sample) => sum + sample.failures, 0);
  return `# One process and two

\`npm --prefix tools/bench run processes -- --page\` writes this page. ${new Date().toISOString().slice(0, 10)}: ${machineLine()}.

How throughput grows with \`ROSTER_PROCESSES\`, if PostgreSQL and the clients have CPU to spare. On a machine with two cores they would not,
so that **each server process may use ${share * 100} % of one core** (a control group of its own, with a period of 10 ms): one such
process against two. The processes run on core 0, the generator on core 1, ${version} on both. It holds ${whole(agents)} agents;
${CONNECTIONS} keep-alive connections, which the kernel distributes by chance; ${rounds} rounds in turns of ${seconds} s after a warm-up
without the limit, in each round one and two processes one after the other.
Figures are medians over the rounds; the ratio is that of a round. "CPU" is the part of a core that each process has used.
What is missing to a ratio of two was not examined: the two processes share a core and its caches with a part of PostgreSQL, and fewer
writes meet in each to share a commit.

| work | 1 process, requests/s | CPU | 2 processes, requests/s | CPU each | ratio | least … most |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
${rows.join('\n')}

${failures} requests failed. The bound is a ratio of ${BOUND}.

Memory after this: one process ${mib(one?.primary ?? 0)}; of two, ${two?.each.map(mib).join(' and ')}, and the primary process, which
starts and replaces them, ${mib(two?.primary ?? 0)}.

Not measured: a whole core for each process, more than two, and PostgreSQL on another machine. Why connections are distributed as they
are, and what a connection costs otherwise: [ADR 32](../adr/0032-processes.md).
`;
}

await using cleanUp = new AsyncDisposableStack();
const bench = cleanUp.use(await openBench(process.env.BENCH_DATABASE_URL));
const result = await interruptible(measure(bench, cleanUp));
const page = pageOf(bench.version, result);
process.stdout.write(page);
if (values.page) await writeFile(new URL('../../../docs/benchmark/processes.md', import.meta.url), page);
const isMet = measured.every(({ name }) => ratioOf(result.samples, name).median >= BOUND);
if (values.assert && !isMet) process.exitCode = 1;
