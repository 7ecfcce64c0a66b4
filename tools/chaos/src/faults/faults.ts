import type { Cluster } from '../cluster/cluster.ts';
import { PatroniCluster } from '../cluster/patroni.ts';
import type { Draw } from './fault.ts';
import { hostileCaller } from './hostile-caller.ts';
import { linkFaults } from './links.ts';
import { postgresFaults } from './postgres.ts';
import { serverFaults } from './servers.ts';

/** Every kind of fault by its name. */
export const faults = {
  ...serverFaults,
  ...postgresFaults,
  ...linkFaults,
  'hostile caller': hostileCaller,
};

export type FaultKind = keyof typeof faults;

export const faultKinds = Object.keys(faults) as FaultKind[];

/** One fault, all of it decided before anything runs. */
export interface PlannedFault extends Draw {
  kind: FaultKind;
}

/** A fault as it was made. */
export interface MadeFault extends Pick<PlannedFault, 'number' | 'kind'> {
  startMs: number;
  /** When what was broken was whole again. */
  endMs: number;
  /** What was done, in words; or what kept it from being whole again. */
  what: string;
  isWhole: boolean;
}

/**
 * The kinds that this deployment, on this machine, can be broken in: no disk is filled that is not its own, and who holds the databases
 * decides what may become of them.
 */
export function possibleKinds({ disks, database }: Pick<Cluster, 'disks' | 'database'>): FaultKind[] {
  if (database instanceof PatroniCluster)
    return faultKinds.filter((kind) => kind === 'leader lost' || kind.startsWith('server '));
  return faultKinds.filter((kind) => kind !== 'leader lost' && (kind !== 'disk full' || disks.length > 0));
}
