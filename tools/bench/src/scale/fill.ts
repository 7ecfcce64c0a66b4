import { Client } from 'pg';
import { inBulk } from '../../../harness/src/directory/bulk.ts';
import { fillAgents, fillOffices } from '../../../harness/src/directory/data.ts';
import type { Bench } from '../database.ts';

export const OFFICES = 1_000;

/** Agents a statement makes; two at a time, one a core. */
const BATCH = 50_000;
const FILLERS = 2;

/** What filling took, and the size after it. */
export interface FillResult {
  agents: number;
  /** Making the rows that were missing, and their indexes. */
  seconds: number;
  /** The table with its indexes. */
  bytes: number;
}

async function fillRange(url: string, ranges: { from: number; to: number }[], total: number): Promise<void> {
  const client = new Client({ connectionString: url, options: '-c synchronous_commit=off' });
  await client.connect();
  try {
    for (let range = ranges.shift(); range !== undefined; range = ranges.shift()) {
      await fillAgents(client, { ...range, total, offices: OFFICES });
    }
  } finally {
    await client.end();
  }
}

/** Adds agents until there are `agents`; those that are there stay. `total` is how many there will be in the end. */
export async function fill({ client, url }: Bench, agents: number, total: number): Promise<FillResult> {
  const { rows } = await client.query<{ agents: number; offices: number }>(
    'select (select count(*) from agent)::int as agents, (select count(*) from office)::int as offices',
  );
  const present = rows[0]?.agents ?? 0;
  if (rows[0]?.offices === 0) await fillOffices(client, OFFICES);
  const started = performance.now();
  const ranges: { from: number; to: number }[] = [];
  for (let from = present + 1; from <= agents; from += BATCH) {
    ranges.push({ from, to: Math.min(agents, from + BATCH - 1) });
  }
  await inBulk(client, 'agent', async () => {
    await Promise.all(Array.from({ length: FILLERS }, () => fillRange(url, ranges, total)));
  });
  await client.query('vacuum analyze agent');
  await client.query('checkpoint');
  const seconds = (performance.now() - started) / 1_000;
  const size = await client.query<{ bytes: string }>(`select pg_total_relation_size('agent') as bytes`);
  return { agents, seconds, bytes: Number(size.rows[0]?.bytes) };
}
