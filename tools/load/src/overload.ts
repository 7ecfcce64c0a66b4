// Offers a server five times what it can do, and says what becomes of those it serves. `npm exec -- pnpm --filter @roster/load run overload`.
import { mkdtempDisposable } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { cpuOf, cpuOfPostgres, pin, residentOf } from '@roster/harness/cpu';
import { startDatabase } from '@roster/harness/database';
import { fill } from '@roster/harness/directory/data';
import { closedLoop, type Outcome, openLoop } from '@roster/harness/load/loops';
import { mixOf } from '@roster/harness/load/mix';
import { readOptions } from '@roster/harness/options';
import { Server } from '@roster/harness/server';
import { medianOf, quantileOf } from '@roster/harness/statistics';
import { Client } from 'pg';

/** Numbers of connections among which the one with the highest peak is taken. */
const CONNECTIONS = [16, 32, 64];
const CROWD = 2_000;
const PATIENCE_MS = 2_000;
const OFFICES = 1_000;

const { rounds, seconds, factor, agents, least, ...options } = readOptions({
  rounds: 5,
  seconds: 8,
  factor: 5,
  agents: 100_000,
  /** `apart` keeps the last core for the load; `none` leaves it to the kernel where everything runs. */
  pin: 'apart',
  /** The least goodput beside the peak; below it the exit code is 1. */
  least: 0.9,
});

const say = (line: string) => process.stdout.write(`${line}\n`);

const inMs = (ms: number[]) => `p50 ${medianOf(ms).toFixed(0)}, p99 ${quantileOf(ms, 0.99).toFixed(0)} ms`;

await using directory = await mkdtempDisposable(join(tmpdir(), 'roster-overload-'));
await using database = await startDatabase();
await using server = new Server({
  name: 'server',
  databaseUrl: database.url,
  log: join(directory.path, 'server.log'),
  isBundle: true,
});
// Load comes from other machines: what it costs to ask is nothing that server and database have to share with.
const cores = availableParallelism();
const isApart = options.pin === 'apart' && cores > 1;
if (isApart) pin(database.pid, `0-${cores - 2}`);
await server.start();
if (isApart) {
  pin(server.pid, `0-${cores - 2}`);
  pin(process.pid, String(cores - 1));
}

/** Runs a load, says what came of it, and answers the good answers a second. */
async function measured<Load extends Outcome>(
  name: string,
  run: () => Promise<Load>,
  tell: (load: Load) => string[] = () => [],
): Promise<number> {
  // In microseconds.
  const cpu = () => [cpuOf(server.pid), cpuOfPostgres(database.pid), cpuOf(process.pid)];
  const before = cpu();
  const load = await run();
  const [ofServer, ofDatabase, ofLoad] = cpu().map((us, index) =>
    ((us - (before[index] ?? 0)) / 1e6 / load.seconds).toFixed(2),
  );
  const good = load.answers / load.seconds;
  const parts = [
    `good ${Math.round(good)}/s`,
    ...tell(load),
    `cores: server ${ofServer}, PostgreSQL ${ofDatabase}, generator ${ofLoad}`,
    `resident ${Math.round(residentOf(server.pid) / 2 ** 20)} MiB`,
  ];
  say(`${name}: ${parts.join(' · ')}`);
  if (load.failures > 0) say(`  ${load.failures} failures, the first: ${load.firstFailure}`);
  return good;
}

const client = new Client({ connectionString: database.url });
await client.connect();
await fill(client, { offices: OFFICES, agents });
const { port } = server;
const source = await mixOf(client);
await client.end();
const target = (connections: number) => ({
  port,
  seconds,
  sources: Array.from({ length: connections }, () => source),
});
await closedLoop(target(32));
let best = { connections: 0, good: 0 };
for (const connections of CONNECTIONS) {
  const good = await measured(`closed loop of ${connections}`, () => closedLoop(target(connections)));
  if (good > best.good) best = { connections, good };
}
const peaks: number[] = [];
const goodputs: number[] = [];
for (let round = 1; round <= rounds; round += 1) {
  peaks.push(await measured(`${round} peak`, () => closedLoop(target(best.connections))));
  const crowd = { ...target(CROWD), ratePerS: factor * medianOf(peaks), patienceMs: PATIENCE_MS };
  const good = await measured(
    `${round} × ${factor}`,
    () => openLoop(crowd),
    ({ offered, latenciesMs, rejectedMs, late, unsent }) => [
      `offered ${Math.round(offered / seconds)}/s`,
      `answered (${inMs(latenciesMs)})`,
      `rejected ${Math.round(rejectedMs.length / seconds)}/s (${inMs(rejectedMs)})`,
      `late ${late}, unsent ${unsent}`,
    ],
  );
  goodputs.push(good);
}
const ratio = medianOf(goodputs) / medianOf(peaks);
say(
  `at ${factor} times the peak of ${Math.round(medianOf(peaks))}/s the goodput is ${(ratio * 100).toFixed(0)} % of it`,
);
if (ratio < least) process.exitCode = 1;
