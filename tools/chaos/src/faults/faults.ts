import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../cluster/cluster.ts';
import { PatroniCluster } from '../cluster/patroni.ts';
import type { Fault } from './fault.ts';
import { hostileCaller } from './hostile-caller.ts';
import * as links from './links.ts';
import { type FaultKind, faultKinds, type PlannedFault } from './plan.ts';
import * as postgres from './postgres.ts';
import * as servers from './servers.ts';

const faults: Record<FaultKind, Fault> = {
  'server killed': servers.killed,
  'server paused': servers.paused,
  'server restarted': servers.restarted,
  'server upgraded': servers.upgraded,
  'clock stepped': servers.clockStepped,
  'PostgreSQL killed': postgres.killed,
  'backend killed': postgres.backendKilled,
  'backends terminated': postgres.backendsTerminated,
  'backend paused': postgres.backendPaused,
  'PostgreSQL paused': postgres.paused,
  'link cut': links.cut,
  'link silent': links.silent,
  'link slow': links.slow,
  'clients cut off': links.clientsCutOff,
  'disk full': postgres.diskFull,
  'standby killed': postgres.standbyKilled,
  'replication cut': links.replicationCut,
  'standby promoted': postgres.promoted,
  'leader lost': postgres.leaderLost,
  'hostile caller': hostileCaller,
};

/**
 * The kinds that this deployment, on this machine, can be broken in: no disk is filled that is not its own, and who holds the databases
 * decides what may become of them.
 */
export function possibleKinds({ disks, database }: Pick<Cluster, 'disks' | 'database'>): FaultKind[] {
  if (database instanceof PatroniCluster)
    return faultKinds.filter((kind) => kind === 'leader lost' || kind.startsWith('server '));
  return faultKinds.filter((kind) => kind !== 'leader lost' && (kind !== 'disk full' || disks.length > 0));
}

/** A fault as it was made. */
export interface MadeFault {
  planned: PlannedFault;
  startMs: number;
  /** When what was broken was whole again. */
  endMs: number;
  /** What was done, in words. */
  what: string;
  /** What kept it from being whole again. */
  failure?: string;
}

async function make(planned: PlannedFault, cluster: Cluster): Promise<MadeFault> {
  const startMs = performance.now();
  try {
    const what = await faults[planned.kind].run(planned, cluster);
    return { planned, startMs, endMs: performance.now(), what };
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    return { planned, startMs, endMs: performance.now(), what: failure, failure };
  }
}

interface MakeOptions {
  cluster: Cluster;
  plan: readonly PlannedFault[];
  /** Fires when no fault is to be begun any more. */
  signal: AbortSignal;
  onMade: (made: MadeFault) => void;
}

/** Makes one fault after another, some beside others, each when its time has come and what it touches is whole. */
export async function makeFaults({ cluster, plan, signal, onMade }: MakeOptions): Promise<MadeFault[]> {
  const startMs = performance.now();
  const busy = new Map<string, Promise<void>>();
  const making = new Set<Promise<void>>();
  const all: MadeFault[] = [];
  for (const planned of plan) {
    await sleep(Math.max(0, startMs + planned.atMs - performance.now()), undefined, { signal }).catch(
      () => undefined,
    );
    if (signal.aborted) break;
    const touched = faults[planned.kind].touches(planned, cluster);
    await Promise.all(planned.isBeside ? touched.map((part) => busy.get(part)) : making);
    const made = make(planned, cluster).then((fault) => {
      all.push(fault);
      onMade(fault);
      making.delete(made);
    });
    making.add(made);
    for (const part of touched) busy.set(part, made);
  }
  await Promise.all(making);
  return all;
}
