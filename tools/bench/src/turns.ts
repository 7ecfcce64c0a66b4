import process from 'node:process';
import type { Client } from 'pg';
import { measureCpu, residentOf } from '../../harness/src/cpu.ts';
import type { Targets } from '../../harness/src/directory/data.ts';
import { OURS, type Running } from './contestants.ts';
import { forgetWrites } from './database.ts';
import { load, loadFor, type Streams } from './load.ts';
import { isWrite, streamsOf, type Work } from './works.ts';

/** One turn of one contestant at one work. */
export type Sample = Awaited<ReturnType<typeof measure>>;

export interface TurnOptions {
  servers: Running[];
  works: Work[];
  targets: Targets;
  client: Client;
  postmaster: number;
  /** As the page of the command line says. */
  rounds: number;
  turns: number;
  seconds: number;
  warmUp: number;
  connections: number;
}

/** Says how far a run is. */
export const say = (line: string) => process.stderr.write(`${line}\n`);

/** A turn of a contestant, which asks for as many returns as it had in that time when it was warmed up. */
async function measure(options: TurnOptions, server: Running, work: Work, streams: Streams, turn: number) {
  const amount = Math.round((server.rates.get(work.name) ?? 0) * options.seconds);
  const measured = { server: server.pid, postmaster: options.postmaster };
  const { result, serverUs, databaseUs } = await server.awake(() =>
    measureCpu(measured, () => load(server, streams, amount)),
  );
  const { responses, seconds, ...rest } = result;
  const operations = responses * work.perRequest;
  return {
    ...rest,
    contestant: server.name,
    work: work.name,
    /** Its number over all rounds. */
    turn,
    // Rates and CPU are of operations: a batch of ten is ten of them.
    ratePerS: operations / seconds,
    serverUs: serverUs / operations,
    databaseUs: databaseUs / operations,
  };
}

/** A round of a work; what a turn wrote is deleted before the next. */
async function runWork(options: TurnOptions, work: Work, round: number): Promise<Sample[]> {
  const { client, turns, warmUp } = options;
  const streams = await streamsOf(work, options);
  const servers = options.servers.filter(({ contestant }) => contestant.hasRpc || !work.isRpc);
  const forget = async () => void (isWrite(work) && (await forgetWrites(client)));
  for (const server of servers.filter(({ rates }) => !rates.has(work.name))) {
    const { ratePerS } = await server.awake(() => loadFor(server, streams, warmUp));
    server.rates.set(work.name, ratePerS);
    await forget();
  }
  const samples: Sample[] = [];
  for (let turn = round * turns; turn < (round + 1) * turns; turn += 1)
    for (const server of servers) {
      samples.push(await measure(options, server, work, streams, turn));
      await forget();
    }
  const failed = samples.find((sample) => sample.failed !== undefined);
  say(
    `round ${round + 1}, ${work.name}: ${failed ? `${failed.contestant} failed, ${failed.failed}` : 'done'}`,
  );
  return samples;
}

/** Runs every work of every contestant in short turns, A B C A B C …, so that what disturbs the machine disturbs all of them. */
export async function runInTurns(options: TurnOptions): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let round = 0; round < options.rounds; round += 1)
    for (const work of options.works) samples.push(...(await runWork(options, work, round)));
  return samples;
}

/**
 * What each contestant keeps in memory, and after how many requests; Roster answers before what it lacks of `atLeast` requests, of the works
 * that change nothing.
 */
export async function measureMemory(options: TurnOptions, atLeast: number) {
  const reads = options.works.filter((work) => !isWrite(work));
  const memory = [];
  for (const server of options.servers) {
    const { name, title } = server.contestant;
    const missing = name === OURS ? atLeast - server.served : 0;
    for (const work of missing > 0 ? reads : []) {
      const streams = await streamsOf(work, options);
      await server.awake(() => load(server, streams, Math.ceil(missing / reads.length)));
    }
    memory.push({ name, title, megabytes: residentOf(server.pid), requests: server.served });
  }
  return memory;
}

export type Memory = Awaited<ReturnType<typeof measureMemory>>;
