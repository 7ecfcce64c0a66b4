import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pause } from '@roster/harness/until';
import { checkAll } from './checker/check.ts';
import { type ClusterOptions, keepEvidence, startCluster } from './cluster/cluster.ts';
import { collect } from './collect.ts';
import { type FaultKind, type MadeFault, possibleKinds } from './faults/faults.ts';
import { makeFaults } from './faults/make.ts';
import { planFaults } from './faults/plan.ts';
import { History } from './history.ts';
import { randomOf } from './random.ts';
import { type ClientOptions, startWorkload } from './workload/workload.ts';

export interface RunOptions extends ClusterOptions, ClientOptions {
  seed: number;
  durationMs: number;
  faults: number;
  /** Only these kinds of faults, as far as they are possible here. */
  kinds: readonly FaultKind[];
  /** Fires when it is to end early: what has happened until then is checked. */
  signal: AbortSignal;
  /** Told what is going on, in words. */
  onProgress: (line: string) => void;
}

/** How long the deployment is used before the first fault and after the last. */
const CALM_MS = 1_000;

/** Starts a deployment, uses it while breaking it, and holds what happened against what was promised. */
export async function run(options: RunOptions) {
  const { seed, durationMs, directory, signal, onProgress } = options;
  const random = randomOf(seed);
  await using stack = new AsyncDisposableStack();
  const cluster = await startCluster(options, stack);
  const history = stack.use(new History(join(directory, 'history.jsonl')));
  const workload = await startWorkload({ ...options, cluster, random, history }, stack);
  const kinds = possibleKinds(cluster).filter((kind) => options.kinds.includes(kind));
  const plan = planFaults(random.fork('faults'), { count: options.faults, durationMs, kinds });
  const startMs = performance.now();
  await sleep(CALM_MS);
  const onMade = ({ number, kind, what, isWhole }: MadeFault) =>
    onProgress(`${number}/${plan.length} ${kind}: ${what}${isWhole ? '' : ' FAILED'}`);
  const faults = await makeFaults({ cluster, plan, signal, onMade });
  await pause(Math.max(CALM_MS, startMs + durationMs - performance.now()), signal);
  await workload.stopClients();
  const endMs = performance.now();
  for (const server of cluster.servers) server.shiftClock(0);
  onProgress('everything is whole again; the history is checked');
  const { attempts } = history;
  const verdicts = checkAll({ ...(await collect(cluster, workload)), attempts, faults });
  const isBroken = verdicts.some(({ broken }) => broken.length > 0);
  if (isBroken) await keepEvidence(cluster, directory);
  const balancer = cluster.balancer.name;
  return { options, kinds, balancer, startMs, endMs, faults, attempts, verdicts, isBroken };
}

/** A run that is over. */
export type Run = Awaited<ReturnType<typeof run>>;
