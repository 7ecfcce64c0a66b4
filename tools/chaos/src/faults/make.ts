import { pause } from '@roster/harness/until';
import type { Cluster } from '../cluster/cluster.ts';
import { faults, type MadeFault, type PlannedFault } from './faults.ts';

async function make(planned: PlannedFault, cluster: Cluster): Promise<MadeFault> {
  const { number, kind } = planned;
  const startMs = performance.now();
  const done = await faults[kind].run(planned, cluster).then(
    (what) => ({ what, isWhole: true }),
    (error: Error) => ({ what: error.message, isWhole: false }),
  );
  return { number, kind, startMs, endMs: performance.now(), ...done };
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
  const busy = new Map<string, Promise<MadeFault>>();
  const making: Promise<MadeFault>[] = [];
  for (const planned of plan) {
    await pause(startMs + planned.atMs - performance.now(), signal);
    if (signal.aborted) break;
    const touched = faults[planned.kind].touches(planned, cluster);
    await Promise.all(planned.isBeside ? touched.map((part) => busy.get(part)) : making);
    const made = make(planned, cluster);
    void made.then(onMade);
    making.push(made);
    for (const part of touched) busy.set(part, made);
  }
  return Promise.all(making);
}
