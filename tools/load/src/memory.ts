// Asks a server half a million times, and says what memory it holds on the way. `npm exec -- pnpm --filter @roster/load run memory`.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { cpuOf, residentOf } from '../../bench/src/cpu.ts';
import { fill } from './overload/directory.ts';
import { closedLoop } from './overload/load.ts';
import { KEY, startDatabase, startServer } from './overload/processes.ts';
import { READING, requestsTo } from './overload/requests.ts';

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '500000' },
    agents: { type: 'string', default: '20000' },
    /** Above it, or where the second half grows by more than a twentieth, the exit code is 1. */
    most: { type: 'string', default: '200' },
  },
});
const [requests, agents, most] = [options.requests, options.agents, options.most].map(Number) as [
  number,
  number,
  number,
];

const say = (line: string) => process.stdout.write(`${line}\n`);
const MB = 1e6;
const CONNECTIONS = 64;
const SECONDS = 2;

await using database = await startDatabase();
// Once to make the tables, so that what is timed is a start on a database that is there.
await using made = await startServer(database.url);
const ids = await fill(database.url, agents);
await made[Symbol.asyncDispose]();
const startedMs = performance.now();
await using server = await startServer(database.url);
const readyMs = performance.now() - startedMs;
const { port, pid } = server;
const next = requestsTo({ port, key: KEY }, ids, READING);
const held = [residentOf(pid)];
const cpuBefore = cpuOf(pid);
let done = 0;
while (done < requests) {
  const { goodMs, failures } = await closedLoop({ port, connections: CONNECTIONS, seconds: SECONDS, next });
  for (const [reason, count] of failures) say(`  ${count} × ${reason}`);
  done += goodMs.length;
  held.push(residentOf(pid));
}
const cpuUs = (cpuOf(pid) - cpuBefore) / done;
const last = held.at(-1) as number;
const half = held[Math.ceil(held.length / 2)] as number;
const inMb = (bytes: number | undefined) => `${((bytes ?? 0) / MB).toFixed(0)} MB`;
say(`started in ${readyMs.toFixed(0)} ms, with ${inMb(held[0])}`);
say(`after ${done} requests, ${cpuUs.toFixed(0)} µs each: ${inMb(last)}; half-way it was ${inMb(half)}`);
if (last > most * MB || last > half * 1.05) process.exitCode = 1;
