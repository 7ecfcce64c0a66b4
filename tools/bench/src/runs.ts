import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { KEY } from './contestants.ts';
import { cpuOf, cpuOfPostgres, residentOf } from './cpu.ts';
import type { Targets } from './data.ts';
import { type Dialect, textOf } from './dialects.ts';
import { closedLoop, openLoop, type Source } from './load.ts';
import { isWrite, streamsOf, type Work } from './operations.ts';
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
  failures: number;
  firstFailure: string | undefined;
  /** Latency of requests at 70 % of this run's rate, in milliseconds; not in every round. */
  latency: { p50Ms: number; p99Ms: number } | undefined;
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

/** The share of its peak at which a contestant's latency is measured. */
const LATENCY_LOAD = 0.7;
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

  async run(round: number): Promise<Sample> {
    const { seconds, warmUpSeconds, latencyRounds } = this.#options;
    this.#server.wake();
    await this.#peak(round === 0 ? warmUpSeconds : REFRESH_S);
    const before = this.#cpu();
    const peak = await this.#peak(seconds);
    const after = this.#cpu();
    const operations = peak.answers * this.#work.perRequest;
    const latency = round < latencyRounds ? await this.#latency(peak.answers / peak.seconds) : undefined;
    this.#server.sleep();
    if (isWrite(this.#work)) await forgetWrites(this.#options.client);
    return {
      contestant: this.#server.contestant.name,
      work: this.#work.name,
      round,
      ratePerS: operations / peak.seconds,
      serverUs: (after.serverUs - before.serverUs) / operations,
      databaseUs: this.#options.postmaster && (after.databaseUs - before.databaseUs) / operations,
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

  async #latency(peakPerS: number) {
    const { seconds } = this.#options;
    const ratePerS = peakPerS * LATENCY_LOAD;
    const sources = await this.#sources();
    const { latenciesMs } = await openLoop({ port: this.#server.port, sources, seconds, ratePerS });
    const sorted = latenciesMs.toSorted((one, other) => one - other);
    return { p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) };
  }

  #cpu() {
    const { postmaster } = this.#options;
    const databaseUs = postmaster === undefined ? 0 : cpuOfPostgres(postmaster);
    return { serverUs: cpuOf(this.#server.pid), databaseUs };
  }
}

/** Runs every work of every contestant, interleaved: A B C A B C …, so that what disturbs the machine disturbs all of them. */
export async function runInterleaved(options: RunOptions): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    for (const work of options.works) {
      for (const server of options.servers) {
        const dialect = server.contestant.dialects[work.protocol];
        if (dialect === undefined) continue;
        const sample = await new Run(options, server, work, dialect).run(round);
        samples.push(sample);
        options.onProgress(lineOf(sample, options.rounds));
        // What the last one left to PostgreSQL's background processes is theirs, not the next one's.
        await pause(50);
      }
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

/** Resident memory of each contestant, in bytes, as it is now. */
export function memoryOf(servers: ServerProcess[]): Map<string, number> {
  return new Map(servers.map(({ contestant, pid }) => [contestant.name, residentOf(pid)]));
}
