import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { openCaller } from '../../../harness/src/caller.ts';
import { medianOf, quantileOf } from '../../../harness/src/statistics.ts';
import { KEY } from '../contestants.ts';
import type { Bench } from '../database.ts';
import { forgetCreated } from '../reset.ts';
import { type ServerProcess, startOurs } from '../server-process.ts';
import { type LongRun, runLong } from './long-runs.ts';
import { type Ask, type Probe, type Probes, type probeNames, probesFor } from './probes.ts';

/** What an operation of ours took at a size. */
export interface Timing {
  operation: (typeof probeNames)[number];
  /** In PostgreSQL, planning and executing, per operation, in milliseconds; warm and right after a restart. */
  warmMs: number;
  coldMs: number;
  /** Blocks of 8 KiB it touched, warm: a figure without noise. */
  blocks: number;
  /** As its caller saw it, one at a time and warm, in milliseconds: the median. */
  seenMs: number;
  /** From the first byte of the request to the last of the answer, as the server's log says: what 95 of 100 stayed below. */
  serverP95Ms: number;
}

const WARM_REPETITIONS = 60;
const WARM_PASSES = 7;
const COLD_REPETITIONS = 20;
/** A bulk change of ten thousand agents is accepted once all of them are found. */
const PATIENCE_MS = 600_000;

/** Empties the cache of the system too, where we may: only root can. */
export function dropSystemCache(): boolean {
  try {
    writeFileSync('/proc/sys/vm/drop_caches', '1');
    return true;
  } catch {
    return false;
  }
}

function asking({ port }: ServerProcess): Ask {
  const caller = openCaller({ port, key: KEY, timeoutMs: PATIENCE_MS });
  return (probe: Probe) => caller.persist(probe, 0);
}

/** The durations of the last requests of a server, in milliseconds, as soon as its log has them all. */
async function loggedMs({ log }: ServerProcess, total: number, last: number): Promise<number[]> {
  for (;;) {
    const lines = (await readFile(log, 'utf8')).split('\n').filter((line) => line.includes('"durationMs"'));
    if (lines.length >= total) return lines.slice(-last).map((line) => Number(JSON.parse(line).durationMs));
    await sleep(100);
  }
}

/** Runs some requests one after another; answers their time in PostgreSQL each, and what the caller saw. */
async function timed(
  client: Client,
  ask: Ask,
  request: (index: number) => Probe,
  { from = 0, repetitions }: { from?: number; repetitions: number },
) {
  await client.query('select pg_stat_statements_reset()');
  const seen: number[] = [];
  for (let index = from; index < from + repetitions; index += 1) {
    const started = performance.now();
    await ask(request(index));
    seen.push(performance.now() - started);
  }
  // Only what reads or writes agents, their events or counts: the server has statements of its own now and then.
  const { rows } = await client.query<{ ms: number; blocks: string }>(
    `select sum(total_plan_time + total_exec_time) as ms, sum(shared_blks_hit + shared_blks_read) as blocks
     from pg_stat_statements
     where dbid = (select oid from pg_database where datname = current_database())
       and query ~* 'agent|directory_stats|from event' and query not ilike '%pg_stat_statements%'`,
  );
  return {
    databaseMs: Number(rows[0]?.ms) / repetitions,
    blocks: Number(rows[0]?.blocks) / repetitions,
    seenMs: medianOf(seen),
  };
}

async function warm(bench: Bench, name: keyof Probes) {
  await using server = await startOurs(bench.url);
  const ask = asking(server);
  let asked = 0;
  const counted: Ask = (probe) => {
    asked += 1;
    return ask(probe);
  };
  const request = (await probesFor(bench.client, counted))[name];
  // All of them once before: the rows and words of a request that nobody has asked for yet are on the disk.
  await timed(bench.client, counted, request, { repetitions: WARM_PASSES * WARM_REPETITIONS });
  const passes: Awaited<ReturnType<typeof timed>>[] = [];
  for (let pass = 0; pass < WARM_PASSES; pass += 1) {
    // Each pass has requests of its own.
    const from = pass * WARM_REPETITIONS;
    passes.push(await timed(bench.client, counted, request, { from, repetitions: WARM_REPETITIONS }));
  }
  const median = (name: 'databaseMs' | 'blocks' | 'seenMs') => medianOf(passes.map((pass) => pass[name]));
  const serverMs = await loggedMs(server, asked, WARM_PASSES * WARM_REPETITIONS);
  return {
    databaseMs: median('databaseMs'),
    blocks: median('blocks'),
    seenMs: median('seenMs'),
    serverP95Ms: quantileOf(serverMs, 0.95),
  };
}

/** Each operation meets a PostgreSQL that has just started; connections are open, and nothing has been read. */
async function cold(bench: Bench, name: keyof Probes) {
  let probes: Probes;
  {
    await using server = await startOurs(bench.url);
    probes = await probesFor(bench.client, asking(server));
  }
  await bench.restart?.();
  dropSystemCache();
  await using server = await startOurs(bench.url);
  return await timed(bench.client, asking(server), probes[name], { repetitions: COLD_REPETITIONS });
}

/** Some operations at the size the tables have now. */
export async function timings(
  bench: Bench,
  operations: Timing['operation'][],
  onProgress: (line: string) => void,
): Promise<Timing[]> {
  const result: Timing[] = [];
  for (const operation of operations) {
    const first = await cold(bench, operation);
    const then = await warm(bench, operation);
    if (operation === 'create') await forgetCreated(bench.client);
    const { databaseMs: warmMs, ...seen } = then;
    result.push({ operation, warmMs, coldMs: first.databaseMs, ...seen });
    onProgress(
      `  ${operation}: ${then.databaseMs.toFixed(3)} ms warm, ${first.databaseMs.toFixed(3)} ms cold, p95 of the server ${then.serverP95Ms.toFixed(1)} ms`,
    );
  }
  return result;
}

/** What takes seconds, at the size the tables have now. */
export async function longRuns(bench: Bench, onProgress: (line: string) => void): Promise<LongRun[]> {
  await using server = await startOurs(bench.url);
  const runs = await runLong({ bench, server, ask: asking(server) });
  for (const { name, seconds } of runs) onProgress(`  ${name}: ${seconds.toFixed(2)} s`);
  return runs;
}
