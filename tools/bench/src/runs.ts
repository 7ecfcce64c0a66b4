import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { KEY, REFERENCE } from './contestants.ts';
import { cpuOf, cpuOfPostgres, residentOf } from './cpu.ts';
import type { Targets } from './data.ts';
import { type Dialect, textOf } from './dialects.ts';
import { closedLoop, openLoop, type Source } from './load.ts';
import { comparedWith, isWrite, streamsOf, type Work } from './operations.ts';
import { forgetWrites } from './reset.ts';
import type { ServerProcess } from './server-process.ts';

/** One run of one contestant at one work. Rates and times are of operations: a batch of ten is ten of them. */
export interface Sample {
  contestant: string;
  work: string;
  round: number;
  ratePerS: number;
  /** CPU per operation, in microseconds. */
  serverUs: number;
  /** Undefined where PostgreSQL is on another machine. */
  databaseUs: number | undefined;
  /** Requests that were answered, with those of the warm-up and of the latency. */
  served: number;
  failures: number;
  firstFailure: string | undefined;
  /** Latency at 60 % of the reference's rate, in milliseconds; not in every round, nor of who does not reach that. */
  latency: { answers: number; p50Ms: number; p99Ms: number } | undefined;
}

export interface RunOptions {
  servers: ServerProcess[];
  works: Work[];
  targets: Targets;
  client: Client;
  postmaster: number | undefined;
  rounds: number;
  /** Rounds in which latency is measured too. */
  latencyRounds: number;
  seconds: number;
  /** Before the first run of each contestant at each work, until the compiler has done its part. */
  warmUpSeconds: number;
  connections: number;
  onProgress: (line: string) => void;
}

/** The share of the reference's peak at which the latency of all is measured. */
const LATENCY_LOAD = 0.6;
/** After having slept. */
const REFRESH_S = 0.3;

function percentile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** One run: a warm-up, the peak, and the latency below it. */
class Run {
  readonly #options: RunOptions;
  readonly #server: ServerProcess;
  readonly #work: Work;
  readonly #dialect: Dialect;

  constructor(options: RunOptions, server: ServerProcess, work: Work, dialect: Dialect) {
    this.#options = options;
    this.#server = server;
    this.#work = work;
    this.#dialect = dialect;
  }

  /** `referencePerS`: the peak of the reference in this round, once it is known. */
  async run(round: number, referencePerS?: number): Promise<Sample> {
    const { seconds, warmUpSeconds, latencyRounds } = this.#options;
    this.#server.wake();
    const warmUp = await this.#peak(round === 0 ? warmUpSeconds : REFRESH_S);
    const before = this.#cpu();
    const peak = await this.#peak(seconds);
    const after = this.#cpu();
    const operations = peak.answers * this.#work.perRequest;
    const ratePerS = operations / peak.seconds;
    const dueRatePerS = (referencePerS ?? ratePerS) * LATENCY_LOAD;
    const isMeasured = round < latencyRounds && ratePerS > dueRatePerS;
    const latency = isMeasured ? await this.#latency(dueRatePerS / this.#work.perRequest) : undefined;
    this.#server.sleep();
    if (isWrite(this.#work)) await forgetWrites(this.#options.client);
    return {
      contestant: this.#server.contestant.name,
      work: this.#work.name,
      round,
      ratePerS,
      serverUs: (after.serverUs - before.serverUs) / operations,
      databaseUs: this.#options.postmaster && (after.databaseUs - before.databaseUs) / operations,
      served: warmUp.answers + peak.answers + (latency?.answers ?? 0),
      failures: peak.failures,
      firstFailure: peak.firstFailure,
      latency,
    };
  }

  async #sources(): Promise<Source[]> {
    const streams = await streamsOf(this.#work, this.#options);
    return streams.map((next) => () => textOf(this.#dialect.messageOf(next()), KEY));
  }

  async #peak(seconds: number) {
    return closedLoop({ port: this.#server.port, sources: await this.#sources(), seconds });
  }

  async #latency(ratePerS: number) {
    const { seconds } = this.#options;
    const sources = await this.#sources();
    const { answers, latenciesMs } = await openLoop({
      port: this.#server.port,
      sources,
      seconds,
      ratePerS,
    });
    const sorted = latenciesMs.toSorted((one, other) => one - other);
    return { answers, p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) };
  }

  #cpu() {
    const { postmaster } = this.#options;
    const databaseUs = postmaster === undefined ? 0 : cpuOfPostgres(postmaster);
    return { serverUs: cpuOf(this.#server.pid), databaseUs };
  }
}

interface Turn {
  server: ServerProcess;
  work: Work;
  round: number;
  /** The peak of the reference in this round, once it is known. */
  referencePerS?: number | undefined;
}

/** One run of one server at one work; undefined if it does not speak the protocol. */
export async function runOnce(
  options: RunOptions,
  { server, work, round, referencePerS }: Turn,
): Promise<Sample | undefined> {
  const dialect = server.contestant.dialects[work.protocol];
  if (dialect === undefined) return undefined;
  const sample = await new Run(options, server, work, dialect).run(round, referencePerS);
  options.onProgress(lineOf(sample, options.rounds));
  // What it left to PostgreSQL's background processes is its own, not that of the next one.
  await pause(50);
  return sample;
}

const isReference = ({ contestant }: ServerProcess) => contestant.name === REFERENCE;

/**
 * Runs every work of every contestant, interleaved: A B C A B C …, so that what disturbs the machine disturbs all of them. The
 * reference is the first, so that the latency of all is measured at the same rate.
 */
export async function runInterleaved(options: RunOptions): Promise<Sample[]> {
  const samples: Sample[] = [];
  const servers = options.servers.toSorted(
    (one, other) => Number(isReference(other)) - Number(isReference(one)),
  );
  for (let round = 0; round < options.rounds; round += 1) {
    const peaks = new Map<string, number>();
    for (const work of options.works) {
      for (const server of servers) {
        const referencePerS = peaks.get(comparedWith(work.name));
        const sample = await runOnce(options, { server, work, round, referencePerS });
        if (sample === undefined) continue;
        samples.push(sample);
        if (isReference(server)) peaks.set(work.name, sample.ratePerS);
      }
    }
  }
  return samples;
}

/** Lets a server answer so many more requests, of the works that change nothing; each run is as in the rounds. */
export async function serveMore(
  options: RunOptions,
  { server, requests }: { server: ServerProcess; requests: number },
): Promise<Sample[]> {
  const reads = options.works.filter((work) => !isWrite(work));
  const samples: Sample[] = [];
  for (let missing = requests; missing > 0 && reads.length > 0; ) {
    for (const work of reads) {
      const sample = await runOnce({ ...options, latencyRounds: 0 }, { server, work, round: 1 });
      if (sample === undefined) continue;
      samples.push(sample);
      missing -= sample.served;
    }
  }
  return samples;
}

function lineOf(
  { round, work, contestant, ratePerS, serverUs, failures, firstFailure }: Sample,
  rounds: number,
) {
  const failed = failures > 0 ? `  ${failures} failures, the first: ${firstFailure}` : '';
  const figures = `${ratePerS.toFixed(0).padStart(7)}/s ${serverUs.toFixed(0).padStart(6)} µs`;
  return `${round + 1}/${rounds} ${work.padEnd(11)} ${contestant.padEnd(20)} ${figures}${failed}`;
}

/** What a process keeps in memory, and after how many requests. */
export interface Memory {
  bytes: number;
  requests: number;
}

/** Resident memory of each contestant as it is now, and how many requests it has answered. */
export function memoryOf(servers: ServerProcess[], samples: Sample[]): Map<string, Memory> {
  return new Map(
    servers.map(({ contestant: { name }, pid }) => {
      const mine = samples.filter(({ contestant }) => contestant === name);
      const requests = mine.reduce((sum, { served }) => sum + served, 0);
      return [name, { bytes: residentOf(pid), requests }];
    }),
  );
}
