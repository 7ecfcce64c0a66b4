// Offers a server five times what it can do, and says what becomes of those it serves. `npm exec -- pnpm --filter @roster/load run overload`.
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { cpuOf, cpuOfPostgres, pin, residentOf } from '../../bench/src/cpu.ts';
import { fill } from './overload/directory.ts';
import { closedLoop, type Load, type Outcome, openLoop } from './overload/load.ts';
import { KEY, startDatabase, startServer } from './overload/processes.ts';
import { requestsTo } from './overload/requests.ts';

/** Numbers of connections among which the one with the highest peak is taken. */
const CONNECTIONS = [16, 32, 64];
const OPEN_CONNECTIONS = 2_000;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '8' },
    factor: { type: 'string', default: '5' },
    agents: { type: 'string', default: '100000' },
    /** `apart` keeps the last core for the load; `none` leaves it to the kernel where everything runs. */
    pin: { type: 'string', default: 'apart' },
    /** The least goodput beside the peak; below it the exit code is 1. */
    least: { type: 'string', default: '0.9' },
  },
});
const [rounds, seconds, factor, agents, least] = [
  options.rounds,
  options.seconds,
  options.factor,
  options.agents,
  options.least,
].map(Number) as [number, number, number, number, number];

const say = (line: string) => process.stdout.write(`${line}\n`);
const median = (numbers: number[]) => quantile(numbers, 0.5);

function quantile(numbers: number[], part: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

interface Server {
  port: number;
  pid: number;
  postmaster: number;
}

interface Costs {
  server: number;
  database: number;
  generator: number;
}

/** CPU used so far, in microseconds. */
function costsOf({ pid, postmaster }: Server): Costs {
  const { user, system } = process.cpuUsage();
  return { server: cpuOf(pid), database: cpuOfPostgres(postmaster), generator: user + system };
}

/** Runs a load, says what came of it, and answers the good answers a second. */
async function measured(name: string, server: Server, run: () => Promise<Outcome>): Promise<number> {
  const before = costsOf(server);
  const outcome = await run();
  const after = costsOf(server);
  const { goodMs, rejectedMs, late, unsent, failures, offered } = outcome;
  const cores = (part: keyof Costs) => ((after[part] - before[part]) / 1e6 / outcome.seconds).toFixed(2);
  const good = goodMs.length / outcome.seconds;
  const parts = [
    `offered ${Math.round(offered / outcome.seconds)}/s`,
    `good ${Math.round(good)}/s (p50 ${quantile(goodMs, 0.5).toFixed(0)}, p99 ${quantile(goodMs, 0.99).toFixed(0)} ms)`,
    rejectedMs.length > 0 &&
      `rejected ${Math.round(rejectedMs.length / outcome.seconds)}/s (p50 ${quantile(rejectedMs, 0.5).toFixed(0)}, p99 ${quantile(rejectedMs, 0.99).toFixed(0)} ms)`,
    late > 0 && `late ${late}`,
    unsent > 0 && `unsent ${unsent}`,
    `cores: server ${cores('server')}, PostgreSQL ${cores('database')}, generator ${cores('generator')}`,
    `resident ${Math.round(residentOf(server.pid) / 2 ** 20)} MiB`,
  ];
  say(`${name}: ${parts.filter((part) => part !== false).join(' · ')}`);
  for (const [reason, count] of failures) say(`  ${count} × ${reason}`);
  return good;
}

async function findConnections(server: Server, load: Omit<Load, 'connections'>): Promise<number> {
  let best = { connections: 0, good: 0 };
  for (const connections of CONNECTIONS) {
    const run = () => closedLoop({ ...load, connections, seconds: 4 });
    const good = await measured(`closed loop of ${connections}`, server, run);
    if (good > best.good) best = { connections, good };
  }
  return best.connections;
}

await using database = await startDatabase();
// Load comes from other machines: what it costs to ask is nothing that server and database have to share with.
const cores = availableParallelism();
const isApart = options.pin === 'apart' && cores > 1;
const served = `0-${cores - 2}`;
if (isApart) pin(database.pid, served);
await using started = await startServer(database.url);
if (isApart) {
  pin(started.pid, served);
  pin(process.pid, String(cores - 1));
}
const server: Server = { port: started.port, pid: started.pid, postmaster: database.pid };
const { port } = server;
const load = { port, seconds, next: requestsTo({ port, key: KEY }, await fill(database.url, agents)) };
await closedLoop({ ...load, connections: 32, seconds: 4 });
const connections = await findConnections(server, load);
const peaks: number[] = [];
const goodputs: number[] = [];
for (let round = 1; round <= rounds; round += 1) {
  peaks.push(await measured(`${round} peak`, server, () => closedLoop({ ...load, connections })));
  const ratePerS = factor * median(peaks);
  const run = () => openLoop({ ...load, connections: OPEN_CONNECTIONS, ratePerS });
  goodputs.push(await measured(`${round} × ${factor}`, server, run));
}
const ratio = median(goodputs) / median(peaks);
say(
  `at ${factor} times the peak of ${Math.round(median(peaks))}/s the goodput is ${(ratio * 100).toFixed(0)} % of it`,
);
if (ratio < least) process.exitCode = 1;
