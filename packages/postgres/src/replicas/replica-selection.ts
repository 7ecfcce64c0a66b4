import type { ConsistencyToken } from './consistency-token.ts';

/** A replica among which the selection chooses. */
export interface Candidate {
  readonly isHealthy: boolean;
  /** The position it had replayed at the last probe; it may have replayed more. */
  readonly replayedTo: ConsistencyToken | undefined;
  /** Statements waiting or in flight. */
  readonly pending: number;
  /** Asks it for its position. */
  probe(): Promise<void>;
}

/**
 * Selects the replica for a read: of those that have replayed the token, the one with the fewest statements pending, and
 * round-robin among equals. A healthy replica that had not replayed the token at its last probe is probed again; if there
 * is no other, the selection waits for that, because a replica is often only a moment behind.
 * @returns a function that selects for a token, or returns undefined if no replica can serve it
 */
export function createReplicaSelector<Replica extends Candidate>(replicas: readonly Replica[]) {
  let start = 0;
  const leastBusy = (after: ConsistencyToken | undefined): Replica | undefined => {
    start += 1;
    let best: Replica | undefined;
    for (let index = 0; index < replicas.length; index += 1) {
      const replica = replicas[(start + index) % replicas.length] as Replica;
      if (!replica.isHealthy || !hasReplayed(replica, after)) continue;
      if (best === undefined || replica.pending < best.pending) best = replica;
    }
    return best;
  };
  return async (after: ConsistencyToken | undefined): Promise<Replica | undefined> => {
    const behind = replicas.filter((replica) => replica.isHealthy && !hasReplayed(replica, after));
    const probes = behind.map((replica) => replica.probe());
    const ready = leastBusy(after);
    if (ready !== undefined || probes.length === 0) return ready;
    await Promise.race(probes);
    return leastBusy(after);
  };
}

function hasReplayed({ replayedTo }: Candidate, after: ConsistencyToken | undefined): boolean {
  return replayedTo !== undefined && (after === undefined || replayedTo >= after);
}
