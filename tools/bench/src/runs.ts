import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { residentOf, withCpuPerRequest } from '../../harness/src/cpu.ts';
import type { Targets } from '../../harness/src/directory/data.ts';
import { textOf } from '../../harness/src/directory/dialects.ts';
import { comparedWith, isWrite, streamsOf, type Work } from '../../harness/src/directory/operations.ts';
import { closedLoop, openClosedLoop, openLoop, type Source } from '../../harness/src/load/loops.ts';
import { medianOf, quantileOf } from '../../harness/src/statistics.ts';
import { KEY, OURS, REFERENCE } from './contestants.ts';
import type { Sample } from './report/sample.ts';
import { forgetWrites } from './reset.ts';
import type { ServerProcess } from './server-process.ts';

export interface RunOptions {
  servers: ServerProcess[];
  works: Work[];
  targets: Targets;
  client: Client;
  postmaster: number | undefined;
  rounds: number;
  /** Of each contestant at each work, in each round. */
  turns: number;
  /** Of a turn. */
  seconds: number;
  /** How many of the last rounds, in which the compiler has done its part, measure latency too. */
  latencyRounds: number;
  latencySeconds: number;
  /** Before the first turn of each contestant at each work, until the compiler has done its part. */
  warmUp: number;
  connections: number;
  onProgress: (line: string) => void;
}

/** The share of the reference's peak at which the latency of all is measured. */
const LATENCY_LOAD = 0.6;
/** Before each turn, after having slept. */
const REFRESH_S = 0.05;
/** Before the latency: what a server does when it wakes up after some seconds must not count. */
const LATENCY_REFRESH_S = 0.2;

/** What a turn has shown. */
type Peak = Pick<Sample, 'ratePerS' | 'serverUs' | 'databaseUs' | 'served' | 'failures' | 'firstFailure'>;

/** One contestant at one work. It sleeps between the calls. */
class Runner {
  readonly #options: RunOptions;
  readonly #server: ServerProcess;
  readonly #work: Work;
  readonly #sources: Source[];

  constructor(options: RunOptions, { server, work, sources }: Entry) {
    this.#options = options;
    this.#server = server;
    this.#work = work;
    this.#sources = sources;
  }

  get name(): string {
    return this.#server.contestant.name;
  }

  /** Runs until the compiler has done its part; answers the number of answers. */
  async warmUp(): Promise<number> {
    this.#server.resume();
    const { answersInAll } = await closedLoop({ ...this.#target, seconds: this.#options.warmUp });
    this.#server.pause();
    return answersInAll;
  }

  /** Runs at the peak. Its connections are opened, and its caches filled, before the time runs. */
  async peak(): Promise<Peak> {
    this.#server.resume();
    using loop = await openClosedLoop(this.#target);
    const refresh = await loop.run(REFRESH_S);
    const { postmaster, seconds } = this.#options;
    const processes = { server: this.#server.pid, postmaster };
    const { load: peak, cpu } = await withCpuPerRequest(processes, () => loop.run(seconds));
    this.#server.pause();
    const { perRequest } = this.#work;
    return {
      ratePerS: (peak.answers * perRequest) / peak.seconds,
      serverUs: cpu.serverUs / perRequest,
      databaseUs: cpu.databaseUs && cpu.databaseUs / perRequest,
      served: refresh.answersInAll + peak.answersInAll,
      failures: peak.failures,
      firstFailure: peak.firstFailure,
    };
  }

  /** Runs at a rate of operations. */
  async latency(ratePerS: number): Promise<NonNullable<Sample['latency']>> {
    this.#server.resume();
    const refresh = await closedLoop({ ...this.#target, seconds: LATENCY_REFRESH_S });
    const { answers, latenciesMs } = await openLoop({
      ...this.#target,
      seconds: this.#options.latencySeconds,
      ratePerS: ratePerS / this.#work.perRequest,
    });
    this.#server.pause();
    const answered = refresh.answersInAll + answers;
    return { answers: answered, p50Ms: medianOf(latenciesMs), p99Ms: quantileOf(latenciesMs, 0.99) };
  }

  get #target() {
    return { port: this.#server.port, sources: this.#sources };
  }
}

interface Entry {
  server: ServerProcess;
  work: Work;
  sources: Source[];
}

/**
 * The contestants of a work, those that speak its protocol. They share the streams of operations, so that the versions of records
 * go on from one to the next.
 */
async function runnersOf(options: RunOptions, work: Work): Promise<Runner[]> {
  const streams = await streamsOf(work, options);
  return options.servers.flatMap((server) => {
    const dialect = server.contestant.dialects[work.protocol];
    if (dialect === undefined) return [];
    const sources = streams.map((next) => () => textOf(dialect.messageOf(next()), KEY));
    return [new Runner(options, { server, work, sources })];
  });
}

/** The rate of a contestant in its turns of a round. */
function rateOf(name: string, samples: Sample[]): number {
  return medianOf(samples.filter(({ contestant }) => contestant === name).map(({ ratePerS }) => ratePerS));
}

/** One round of a work: turns of all contestants, and then their latency. */
async function runRound(
  options: RunOptions,
  { work, round, referencePerS }: { work: Work; round: number; referencePerS: number | undefined },
): Promise<Sample[]> {
  const runners = await runnersOf(options, work);
  const warmed = new Map<Runner, number>();
  if (round === 0) for (const runner of runners) warmed.set(runner, await runner.warmUp());
  if (round === 0 && isWrite(work)) await forgetWrites(options.client);
  const samples: Sample[] = [];
  for (let turn = 0; turn < options.turns; turn += 1) {
    for (const runner of runners) {
      const peak = await runner.peak();
      // At once: Roster would give the events of all others their positions, in its own turns.
      if (isWrite(work)) await forgetWrites(options.client);
      const served = peak.served + (turn === 0 ? (warmed.get(runner) ?? 0) : 0);
      const at = { contestant: runner.name, work: work.name, turn: round * options.turns + turn };
      samples.push({ ...at, ...peak, served, latency: undefined });
    }
  }
  const dueRatePerS = (referencePerS ?? rateOf(REFERENCE, samples)) * LATENCY_LOAD;
  for (const runner of runners) {
    const first = samples.find(({ contestant }) => contestant === runner.name);
    if (first === undefined || round < options.rounds - options.latencyRounds) continue;
    if (rateOf(runner.name, samples) > dueRatePerS) {
      first.latency = await runner.latency(dueRatePerS);
      first.served += first.latency.answers;
      if (isWrite(work)) await forgetWrites(options.client);
    }
  }
  for (const { name } of runners) options.onProgress(lineOf(samples, name, { work, round }));
  // What is left to PostgreSQL's background processes is not that of the next work.
  await pause(50);
  return samples;
}

const isReference = ({ contestant }: ServerProcess) => contestant.name === REFERENCE;

/**
 * Runs every work of every contestant in short turns, A B C A B C …, so that what disturbs the machine disturbs all of them. The
 * reference is the first.
 */
export async function runInterleaved(options: RunOptions): Promise<Sample[]> {
  const samples: Sample[] = [];
  const servers = options.servers.toSorted(
    (one, other) => Number(isReference(other)) - Number(isReference(one)),
  );
  for (let round = 0; round < options.rounds; round += 1) {
    const peaks = new Map<string, number>();
    for (const work of options.works) {
      const referencePerS = peaks.get(comparedWith(work.name));
      const found = await runRound({ ...options, servers }, { work, round, referencePerS });
      samples.push(...found);
      if (found.some(({ contestant }) => contestant === REFERENCE))
        peaks.set(work.name, rateOf(REFERENCE, found));
    }
  }
  return samples;
}

/** Lets a server answer so many more requests, of the works that change nothing. */
export async function serveMore(
  options: RunOptions,
  { server, requests }: { server: ServerProcess; requests: number },
): Promise<number> {
  const reads = options.works.filter((work) => !isWrite(work));
  let served = 0;
  while (served < requests && reads.length > 0) {
    for (const work of reads) {
      for (const runner of await runnersOf({ ...options, servers: [server] }, work))
        served += await runner.warmUp();
    }
  }
  return served;
}

function lineOf(samples: Sample[], name: string, { work, round }: { work: Work; round: number }) {
  const mine = samples.filter(({ contestant }) => contestant === name);
  const failures = mine.reduce((sum, sample) => sum + sample.failures, 0);
  const first = mine.find(({ firstFailure }) => firstFailure !== undefined);
  const failed = failures > 0 ? `  ${failures} failures, the first: ${first?.firstFailure}` : '';
  const serverUs = medianOf(mine.map((sample) => sample.serverUs));
  const figures = `${rateOf(name, mine).toFixed(0).padStart(7)}/s ${serverUs.toFixed(0).padStart(6)} µs`;
  return `${round + 1} ${work.name.padEnd(11)} ${name.padEnd(20)} ${figures}${failed}`;
}

/** What a process keeps in memory, and after how many requests. */
export interface Memory {
  bytes: number;
  requests: number;
}

/** The requests that a contestant has answered in all samples. */
export function servedBy(name: string, samples: Sample[]): number {
  return samples.filter(({ contestant }) => contestant === name).reduce((sum, { served }) => sum + served, 0);
}

/** Resident memory of each contestant as it is now, and how many requests it has answered: Roster `more` than in the samples. */
export function memoryOf(servers: ServerProcess[], samples: Sample[], more: number): Map<string, Memory> {
  return new Map(
    servers.map(({ contestant: { name }, pid }) => {
      const requests = servedBy(name, samples) + (name === OURS ? more : 0);
      return [name, { bytes: residentOf(pid), requests }];
    }),
  );
}
