import type { Client } from 'pg';
import { KEY } from '../contestants.ts';
import { type CpuTimes, withCpuPerRequest } from '../cpu.ts';
import type { Targets } from '../data.ts';
import { rosterDialects, textOf } from '../dialects.ts';
import { type ClosedLoop, openClosedLoop } from '../load.ts';
import { streamsOf, type Work } from '../operations.ts';
import type { ServerProcess } from '../server-process.ts';

/** A turn: a variant, and right before or after it everything. */
export interface Turn {
  variant: string;
  work: string;
  /** CPU per request. */
  left: CpuTimes;
  everything: CpuTimes;
}

/** A server that runs, and the connection of the bench to its database. */
export interface Started {
  server: ServerProcess;
  client: Client;
}

export interface PairOptions {
  work: Work;
  targets: Targets;
  connections: number;
  postmaster: number | undefined;
  turns: number;
  /** Of each of the two runs of a turn. */
  seconds: number;
  /** Before the first turn, of each of the two. */
  warmUpSeconds: number;
}

/** One server of a pair, which is stopped while the other one runs. */
class Side implements Disposable {
  readonly #server: ServerProcess;
  readonly #loop: ClosedLoop;
  readonly #postmaster: number | undefined;

  constructor(server: ServerProcess, loop: ClosedLoop, postmaster: number | undefined) {
    this.#server = server;
    this.#loop = loop;
    this.#postmaster = postmaster;
  }

  static async open(
    { server, client }: Started,
    { work, targets, connections, postmaster }: PairOptions,
  ): Promise<Side> {
    const dialect = rosterDialects[work.protocol];
    const streams = await streamsOf(work, { targets, connections, client });
    const sources = streams.map((next) => () => textOf(dialect.messageOf(next()), KEY));
    return new Side(server, await openClosedLoop({ port: server.port, sources }), postmaster);
  }

  /** Rejections do not matter: a server that has just started may be overloaded. */
  async warmUp(seconds: number): Promise<void> {
    this.#server.wake();
    await this.#loop.run(seconds);
    this.#server.sleep();
  }

  async run(seconds: number): Promise<CpuTimes> {
    const { pid, contestant } = this.#server;
    this.#server.wake();
    const processes = { server: pid, postmaster: this.#postmaster };
    const { load, cpu } = await withCpuPerRequest(processes, () => this.#loop.run(seconds));
    this.#server.sleep();
    if (load.failures > 0) throw new Error(`${contestant.name}: ${load.firstFailure}`);
    return cpu;
  }

  [Symbol.dispose](): void {
    this.#loop[Symbol.dispose]();
  }
}

/**
 * Runs a variant and everything in turns of a fraction of a second, A B B A: the speed of a machine that is shared changes within
 * seconds, and such a change meets both.
 */
export async function runPair(
  { variant, everything }: { variant: Started; everything: Started },
  options: PairOptions,
): Promise<Turn[]> {
  const { turns, seconds, warmUpSeconds, work } = options;
  using whole = await Side.open(everything, options);
  using part = await Side.open(variant, options);
  await whole.warmUp(warmUpSeconds);
  await part.warmUp(warmUpSeconds);
  const result: Turn[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const isFirst = turn % 2 === 0;
    const before = isFirst ? undefined : await part.run(seconds);
    const cost = await whole.run(seconds);
    const left = before ?? (await part.run(seconds));
    const { name } = variant.server.contestant;
    result.push({ variant: name, work: work.name, left, everything: cost });
  }
  return result;
}
