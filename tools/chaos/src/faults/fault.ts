import type { Cluster } from '../cluster/cluster.ts';
import type { PlannedFault } from './plan.ts';

/** How one kind of fault is made. */
export interface Fault {
  /** The parts of the deployment that nothing else may break or mend meanwhile. */
  touches(planned: PlannedFault, cluster: Cluster): string[];
  /** Breaks something, waits, and mends it; done when it is whole again. Answers what it did, in words. */
  run(planned: PlannedFault, cluster: Cluster): Promise<string>;
}

/** The number of the thing that a planned fault meets, of so many. */
export function indexOf({ which }: PlannedFault, count: number): number {
  return Math.floor(which * count);
}

/** The one thing, or all, that a planned fault meets. */
export function chosen<Item>(planned: PlannedFault, items: readonly Item[]): Item[] {
  const one = items[indexOf(planned, items.length)];
  return planned.isForAll || one === undefined ? [...items] : [one];
}

/** A length of time for people. */
export function inSeconds(timeMs: number): string {
  return `${(timeMs / 1_000).toFixed(1)} s`;
}
