import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkAll } from './checker/check.ts';
import type { Evidence, Verdict } from './checker/evidence.ts';
import { type Cluster, startCluster } from './cluster/cluster.ts';
import { collect } from './collect.ts';
import { type MadeFault, makeFaults, possibleKinds } from './faults/faults.ts';
import { type FaultKind, planFaults } from './faults/plan.ts';
import { type Attempt, type History, openHistory } from './history.ts';
import { randomOf } from './random.ts';
import { startWorkload, type Workload } from './workload/workload.ts';

export interface RunOptions {
  seed: number;
  durationMs: number;
  faults: number;
  servers: number;
  hasDisks: boolean;
  /** Whether Patroni holds the PostgreSQL. */
  isPatroni: boolean;
  clients: number;
  /** Operations a second while nothing is broken. */
  rate: number;
  /** Only these kinds of faults, as far as they are possible here. */
  kinds: readonly FaultKind[];
  /** Where everything is kept while it runs. */
  directory: string;
  /** Fires when it is to end early: what has happened until then is checked. */
  signal: AbortSignal;
  /** Told what is going on, in words. */
  onProgress: (line: string) => void;
}

/** A run that is over. */
export interface Run {
  options: RunOptions;
  kinds: readonly FaultKind[];
  /** What stood before the servers. */
  balancer: string;
  startMs: number;
  endMs: number;
  faults: MadeFault[];
  attempts: readonly Attempt[];
  verdicts: Verdict[];
}

/** Whether any promise was broken. */
export function isBroken({ verdicts }: Pick<Run, 'verdicts'>): boolean {
  return verdicts.some(({ broken }) => broken.length > 0);
}

/** How long the deployment is used before the first fault and after the last. */
const CALM_MS = 1_000;

async function evidenceOf(
  cluster: Cluster,
  { workload, history, faults }: { workload: Workload; history: History; faults: readonly MadeFault[] },
): Promise<Evidence> {
  const { late, ...collected } = await collect(cluster, workload);
  const failed = faults.filter(({ failure }) => failure !== undefined);
  return {
    ...collected,
    attempts: history.attempts,
    followers: workload.followers.map(({ followed }) => followed),
    told: { start: 0, collection: 'offices', messages: workload.receiver.messages },
    faults: faults.map(({ planned: { kind }, startMs, endMs }) => ({ kind, startMs, endMs })),
    ends: cluster.servers.flatMap(({ ends }) => ends),
    stuck: [
      ...failed.map(({ planned, what }) => `fault ${planned.number} (${planned.kind}): ${what}`),
      ...late,
    ],
  };
}

/** Starts a deployment, uses it while breaking it, and holds what happened against what was promised. */
export async function run(options: RunOptions): Promise<Run> {
  const { seed, durationMs, directory, signal, onProgress } = options;
  const random = randomOf(seed);
  await using cluster = await startCluster(options);
  const history = openHistory(join(directory, 'history.jsonl'));
  await using workload = await startWorkload({ ...options, cluster, random, history });
  const possible = possibleKinds(cluster);
  const kinds = possible.filter((kind) => options.kinds.includes(kind));
  const plan = planFaults(random.fork('faults'), { count: options.faults, durationMs, kinds });
  const startMs = performance.now();
  await sleep(CALM_MS);
  const onMade = ({ planned, what, failure }: MadeFault) =>
    onProgress(
      `${planned.number}/${plan.length} ${planned.kind}: ${what}${failure === undefined ? '' : ' FAILED'}`,
    );
  const faults = await makeFaults({ cluster, plan, signal, onMade });
  const left = Math.max(CALM_MS, startMs + durationMs - performance.now());
  await sleep(left, undefined, { signal }).catch(() => undefined);
  await workload.stopClients();
  const endMs = performance.now();
  for (const server of cluster.servers) server.shiftClock(0);
  onProgress('everything is whole again; the history is checked');
  try {
    const evidence = await evidenceOf(cluster, { workload, history, faults });
    const { attempts } = history;
    const finished = {
      options,
      kinds,
      balancer: cluster.balancer.name,
      startMs,
      endMs,
      faults,
      attempts,
      verdicts: checkAll(evidence),
    };
    if (isBroken(finished)) await cluster.keepEvidence();
    return finished;
  } finally {
    await history.close();
  }
}
