import type { Client } from 'pg';
import { cpuOf, cpuOfPostgres, residentOf } from '../../harness/src/cpu.ts';
import type { Targets } from '../../harness/src/directory/data.ts';
import { medianOf } from '../../harness/src/statistics.ts';
import { OURS, REFERENCE } from './contestants.ts';
import { forgetWrites } from './database.ts';
import { type Load, load, warmUp } from './load.ts';
import type { ServerProcess } from './server-process.ts';
import { isWrite, type Request, streamsOf, type Work } from './works.ts';

/** One turn of one contestant at one work. Rates and CPU are of operations: a batch of ten is ten of them. */
export interface Sample extends Pick<Load, 'failures' | 'failed' | 'p50Ms' | 'p99Ms'> {
  contestant: string;
  work: string;
  /** The number of the turn, over all rounds. */
  turn: number;
  ratePerS: number;
  /** CPU of an operation, in microseconds. */
  serverUs: number;
  /** Undefined where PostgreSQL is on another machine. */
  databaseUs: number | undefined;
  /** Requests that were answered, with those of the warm-up. */
  served: number;
}

export interface TurnOptions {
  servers: ServerProcess[];
  works: Work[];
  targets: Targets;
  client: Client;
  postmaster: number | undefined;
  rounds: number;
  /** Of each contestant at each work, in each round. */
  turns: number;
  /** About how long a turn takes: it asks for as many answers as the warm-up had in that time. */
  seconds: number;
  /** Before the first turn of each contestant at each work, until the compiler has done its part. */
  warmUp: number;
  connections: number;
  onProgress: (line: string) => void;
}

type Streams = (() => Request)[];

/** One turn. The contestant is suspended before and after it. */
async function measure(
  { postmaster }: TurnOptions,
  { server, work, streams, amount }: { server: ServerProcess; work: Work; streams: Streams; amount: number },
) {
  server.resume();
  const used = () => [cpuOf(server.pid), postmaster === undefined ? Number.NaN : cpuOfPostgres(postmaster)];
  const before = used();
  const { answers, seconds, ...rest } = await load({ port: server.port, streams }, amount);
  const [serverUs = 0, databaseUs = Number.NaN] = used().map(
    (us, index) => (us - (before[index] ?? 0)) / answers / work.perRequest,
  );
  server.pause();
  return {
    ...rest,
    contestant: server.contestant.name,
    work: work.name,
    ratePerS: (answers * work.perRequest) / seconds,
    serverUs,
    databaseUs: Number.isNaN(databaseUs) ? undefined : databaseUs,
    served: answers,
  };
}

/** A work in all rounds; what a turn wrote is deleted before the next. */
async function runWork(options: TurnOptions, work: Work, round: number, rates: Map<string, number>) {
  const { connections, client, turns, seconds, onProgress } = options;
  const streams = await streamsOf(work, { ...options, connections });
  const servers = options.servers.filter(({ contestant }) => contestant.hasRpc || !work.isRpc);
  const samples: Sample[] = [];
  const forget = async () => void (isWrite(work) && (await forgetWrites(client)));
  const warmed = new Map<string, number>();
  for (const server of round === 0 ? servers : []) {
    server.resume();
    const { answers, ratePerS } = await warmUp({ port: server.port, streams }, options.warmUp);
    server.pause();
    warmed.set(server.contestant.name, answers);
    rates.set(`${work.name} ${server.contestant.name}`, ratePerS);
    await forget();
  }
  for (let turn = 0; turn < turns; turn += 1) {
    for (const server of servers) {
      const { name } = server.contestant;
      const amount = Math.round((rates.get(`${work.name} ${name}`) ?? 0) * seconds);
      const sample = await measure(options, { server, work, streams, amount });
      const served = sample.served + (turn === 0 ? (warmed.get(name) ?? 0) : 0);
      samples.push({ ...sample, served, turn: round * turns + turn });
      await forget();
    }
  }
  for (const [name, mine] of Map.groupBy(samples, ({ contestant }) => contestant)) {
    const [rate, us] = [medianOf(mine.map((one) => one.ratePerS)), medianOf(mine.map((one) => one.serverUs))];
    const failed = mine.find((one) => one.failed !== undefined)?.failed ?? '';
    onProgress(
      `${round + 1} ${work.name.padEnd(11)} ${name.padEnd(16)} ${rate.toFixed(0).padStart(7)}/s ${us.toFixed(0).padStart(6)} µs  ${failed}`,
    );
  }
  return samples;
}

/**
 * Runs every work of every contestant in short turns, A B C A B C …, so that what disturbs the machine disturbs all of them. The
 * reference is the first.
 */
export async function runInTurns(options: TurnOptions): Promise<Sample[]> {
  const isReference = ({ contestant }: ServerProcess) => contestant.name === REFERENCE;
  const servers = options.servers.toSorted((a, b) => Number(isReference(b)) - Number(isReference(a)));
  const rates = new Map<string, number>();
  const samples: Sample[] = [];
  for (let round = 0; round < options.rounds; round += 1)
    for (const work of options.works)
      samples.push(...(await runWork({ ...options, servers }, work, round, rates)));
  return samples;
}

/** What a process keeps in memory, and after how many requests. */
export interface Memory {
  bytes: number;
  requests: number;
}

const servedBy = (name: string, samples: Sample[]) =>
  samples.filter(({ contestant }) => contestant === name).reduce((sum, { served }) => sum + served, 0);

/** Resident memory of each contestant; Roster answers before what it lacks of `atLeast` requests, of the works that change nothing. */
export async function measureMemory(
  options: TurnOptions,
  samples: Sample[],
  atLeast: number,
): Promise<Map<string, Memory>> {
  const memory = new Map<string, Memory>();
  const reads = options.works.filter((work) => !isWrite(work));
  for (const server of options.servers) {
    const { name } = server.contestant;
    let requests = servedBy(name, samples);
    const missing = name === OURS ? Math.max(0, atLeast - requests) : 0;
    if (missing > 0) server.resume();
    for (const work of missing > 0 ? reads : []) {
      const streams = await streamsOf(work, options);
      requests += (await load({ port: server.port, streams }, Math.ceil(missing / reads.length))).answers;
    }
    memory.set(name, { bytes: residentOf(server.pid), requests });
  }
  return memory;
}
