import type { Work } from '../operations.ts';
import type { RunOptions, Sample } from '../runs.ts';
import { runOnce } from '../runs.ts';
import type { ServerProcess } from '../server-process.ts';
import { everything } from './variants.ts';

/** A run of a variant, and what everything costs by the runs before and after it. All in microseconds of CPU per request. */
export interface Comparison {
  variant: string;
  work: string;
  serverUs: number;
  databaseUs: number;
  /** By how much it is less than with everything on. */
  serverSavedUs: number;
  databaseSavedUs: number;
}

/** How many variants run between two runs of everything. */
const GROUP = 5;

/** How many processes with everything on a round of so many variants has. */
export const wholesOf = (variants: number): number => Math.ceil(variants / GROUP) + 1;

/**
 * The order of a round: everything on first, after every few variants, and last; each round begins with another variant. Each run of
 * everything is of another process, so that all have run for the same time, and been compiled as far.
 */
function orderOf(others: ServerProcess[], wholes: ServerProcess[], round: number): ServerProcess[] {
  const at = others.length === 0 ? 0 : (round * GROUP) % others.length;
  const turned = [...others.slice(at), ...others.slice(0, at)];
  return wholes.flatMap((server, index) => [server, ...turned.slice(index * GROUP, (index + 1) * GROUP)]);
}

function compared(samples: Sample[]): Comparison[] {
  const isWhole = ({ contestant }: Sample) => contestant === everything.name;
  return samples.flatMap((sample, index) => {
    const before = samples.slice(0, index).findLast(isWhole);
    const after = samples.slice(index + 1).find(isWhole);
    if (isWhole(sample) || before === undefined || after === undefined) return [];
    const { contestant: variant, work, serverUs, databaseUs = 0 } = sample;
    const wholeDatabaseUs = ((before.databaseUs ?? 0) + (after.databaseUs ?? 0)) / 2;
    return [
      {
        ...{ variant, work, serverUs, databaseUs },
        serverSavedUs: (before.serverUs + after.serverUs) / 2 - serverUs,
        databaseSavedUs: wholeDatabaseUs - databaseUs,
      },
    ];
  });
}

/** A variant that runs, and the connection of the bench to its database. */
export interface Started {
  server: ServerProcess;
  client: RunOptions['client'];
  works: readonly string[];
}

/** Runs the variants of each work in turns, and compares each run with the neighbouring ones of everything. */
export async function runRounds({
  wholes,
  others,
  works,
  ...options
}: Omit<RunOptions, 'servers' | 'client'> & { wholes: Started[]; others: Started[] }): Promise<{
  comparisons: Comparison[];
  baseline: Sample[];
}> {
  const clients = new Map([...wholes, ...others].map(({ server, client }) => [server, client]));
  const run = (server: ServerProcess, work: Work, round: number): Promise<Sample | undefined> => {
    const client = clients.get(server);
    if (client === undefined) throw new Error('a server without a database');
    const rounds = options.rounds + 1;
    return runOnce({ ...options, rounds, works, servers: [server], client }, { server, work, round });
  };
  const ofWork = ({ name }: Work) =>
    others.filter((other) => other.works.includes(name)).map(({ server }) => server);
  const orderIn = (work: Work, round: number) => {
    const mine = ofWork(work);
    const inTurn = wholes.slice(0, wholesOf(mine.length)).map(({ server }) => server);
    return orderOf(mine, inTurn, round);
  };
  // The first run of each has a long warm-up, and is not counted.
  for (const work of works) for (const server of orderIn(work, 0)) await run(server, work, 0);
  const comparisons: Comparison[] = [];
  const baseline: Sample[] = [];
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const work of works) {
      const samples: Sample[] = [];
      for (const server of orderIn(work, round)) {
        const sample = await run(server, work, round);
        if (sample !== undefined) samples.push(sample);
      }
      const failed = samples.find(({ failures }) => failures > 0);
      if (failed !== undefined) throw new Error(`${failed.contestant}, ${work.name}: ${failed.firstFailure}`);
      comparisons.push(...compared(samples));
      baseline.push(...samples.filter(({ contestant }) => contestant === everything.name));
    }
  }
  return { comparisons, baseline };
}
