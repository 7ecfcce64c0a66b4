import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { Client } from 'pg';
import { fillOffices } from '../../harness/src/directory/data.ts';
import { readOptions } from '../../harness/src/options.ts';
import { medianOf } from '../../harness/src/statistics.ts';
import { KEY } from './contestants.ts';
import { type Bench, openBench } from './database.ts';
import { interruptible } from './interrupt.ts';
import { startOurs } from './server-process.ts';

/**
 * 100,000 agents by calls of the import, against PostgreSQL's own COPY of the same rows into the same table with the same
 * indexes, constraints and triggers, alternately: `npm --prefix tools/bench run imports`. The import reads and checks JSON, looks for records
 * that are there, and writes an event for each; COPY does none of it.
 */

const { agents, rounds, ...options } = readOptions({ agents: 100_000, rounds: 3, assert: false });
const OFFICES = 1_000;
const AT_ONCE = 500;
const CALLERS = 4;
/** The least part of COPY's speed. */
const BOUND = 0.25;

const say = (line: string) => process.stdout.write(`${line}\n`);

function agentOf(index: number, officeIds: string[]) {
  return {
    firstName: 'Ana',
    lastName: `Figueiredo ${index % 997}`,
    email: `ana.figueiredo.${index}@bench.example`,
    phone: '+15125550100',
    mlsId: `M${index}`,
    officeId: officeIds[index % officeIds.length],
    licenses: [{ number: `L${index}`, region: 'TX', type: 'Broker' }],
    address: { line1: `${index % 9_000} Congress Avenue`, city: 'Austin', region: 'TX', country: 'US' },
    source: { name: 'MLS', key: String(index) },
  };
}

async function empty(client: Client): Promise<void> {
  // Offices refer to agents, so they go too; they come back with the ids they had.
  await client.query('truncate agent, office, event cascade');
  await fillOffices(client, OFFICES);
  await client.query('vacuum analyze agent, office');
  await client.query('checkpoint');
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1_000;
}

/** Sends all calls, made before: what is measured is the service, not its caller. */
async function imported(port: number, bodies: string[]): Promise<void> {
  const waiting = bodies.values();
  const call = async () => {
    for (const body of waiting) {
      const headers = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' };
      const url = `http://127.0.0.1:${port}/imports/agents`;
      const response = await fetch(url, { method: 'POST', headers, body });
      const text = await response.text();
      if (!response.ok) throw new Error(`${response.status} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
}

async function measure({ url, client }: Bench, directory: string): Promise<number[]> {
  await empty(client);
  const { rows } = await client.query<{ id: string }>('select id::text from office order by id limit 300');
  const officeIds = rows.map(({ id }) => id);
  const bodies = Array.from({ length: agents / AT_ONCE }, (_, call) =>
    JSON.stringify({
      records: Array.from({ length: AT_ONCE }, (_, at) => agentOf(call * AT_ONCE + at, officeIds)),
    }),
  );
  await using server = await startOurs(url);
  const file = join(directory, 'agents.copy');
  const parts: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    await empty(client);
    const importS = await seconds(() => imported(server.port, bodies));
    const { rows: counted } = await client.query<{ n: number }>('select count(*)::int as n from agent');
    if (counted[0]?.n !== agents) throw new Error(`${counted[0]?.n} agents are there, not ${agents}`);
    await client.query(`copy agent to '${file}'`);
    await empty(client);
    const copyS = await seconds(() => client.query(`copy agent from '${file}'`));
    parts.push(copyS / importS);
    say(
      `${round}/${rounds}  import ${(agents / importS).toFixed(0)} agents/s, COPY ${(agents / copyS).toFixed(0)}/s`,
    );
  }
  return parts;
}

const directory = await mkdtemp(join(tmpdir(), 'roster-bench-copy-'));
// PostgreSQL writes and reads the file, as a user of its own where this is root.
await chmod(directory, 0o777);
try {
  await using bench = await openBench();
  const parts = await interruptible(measure(bench, directory));
  const median = medianOf(parts);
  say(`The import has ${median.toFixed(2)} of the speed of COPY; the bound is ${BOUND}.`);
  if (options.assert && !(median >= BOUND)) process.exitCode = 1;
} finally {
  await rm(directory, { recursive: true, force: true });
}
