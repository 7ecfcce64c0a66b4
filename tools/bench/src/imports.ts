import { join } from 'node:path';
import process from 'node:process';
import type { Client } from 'pg';
import { fillOffices } from '../../harness/src/directory/data.ts';
import { readOptions } from '../../harness/src/options.ts';
import { medianOf } from '../../harness/src/statistics.ts';
import { Running } from './contestants.ts';
import { type Bench, withBench } from './database.ts';
import { load } from './load.ts';
import type { Request } from './works.ts';

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

/** Calls of the import, made before: what is measured is the service, not its caller. */
function callsFor(officeIds: string[]): Request[] {
  return Array.from({ length: agents / AT_ONCE }, (_, call) => {
    const records = Array.from({ length: AT_ONCE }, (_, at) => agentOf(call * AT_ONCE + at, officeIds));
    return { method: 'POST', path: '/imports/agents', body: JSON.stringify({ records }) };
  });
}

async function empty(client: Client): Promise<void> {
  // Offices refer to agents, so they go too; they come back with the ids they had.
  await client.query('truncate agent, office, event cascade');
  await fillOffices(client, OFFICES);
  await client.query('vacuum analyze agent, office');
  await client.query('checkpoint');
}

/** The part of COPY's speed that the import has, in each round. */
async function measure(bench: Bench): Promise<number[]> {
  const { client } = bench;
  await empty(client);
  const { rows } = await client.query<{ id: string }>('select id::text from office order by id limit 300');
  const calls = callsFor(rows.map(({ id }) => id));
  await using server = new Running(bench);
  await server.start();
  const file = join(bench.directory, 'agents.copy');
  const parts: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    await empty(client);
    const waiting = calls.values();
    const next = () => waiting.next().value as Request;
    const { seconds, failed } = await load(server, Array(CALLERS).fill(next), calls.length);
    const { rowCount } = await client.query(`copy agent to '${file}'`);
    if (rowCount !== agents) throw new Error(`${rowCount} of ${agents} agents are there: ${failed}`);
    await empty(client);
    const started = performance.now();
    await client.query(`copy agent from '${file}'`);
    const copyS = (performance.now() - started) / 1_000;
    parts.push(copyS / seconds);
    const [imported, copied] = [seconds, copyS].map((lasted) => (agents / lasted).toFixed(0));
    say(`${round}/${rounds}  import ${imported} agents/s, COPY ${copied}/s`);
  }
  return parts;
}

const median = medianOf(await withBench(measure));
say(`The import has ${median.toFixed(2)} of the speed of COPY; the bound is ${BOUND}.`);
if (options.assert && !(median >= BOUND)) process.exitCode = 1;
