import type { ConsistencyToken } from './consistency-token.ts';

/** What is known of a replica, to choose one. */
export interface Candidate {
  readonly isWell: boolean;
  readonly reached: ConsistencyToken | undefined;
  /** Statements waiting and under way. */
  readonly pending: number;
  /** Asks it how far it has come by now. */
  look(): Promise<void>;
}

/**
 * Chooses the replica for a read: the one with the least to do of those that have come so far, of equals each in its
 * turn. One that is well but was not so far when it was last asked is asked again, so that it is not left out for being
 * known too little; where no other is far enough, the answer is waited for: a replica is often only a moment behind.
 */
export function chooserOf<Replica extends Candidate>(replicas: readonly Replica[]) {
  let turn = 0;
  const freest = (after: ConsistencyToken | undefined): Replica | undefined => {
    turn += 1;
    let best: Replica | undefined;
    for (let index = 0; index < replicas.length; index += 1) {
      const replica = replicas[(turn + index) % replicas.length] as Replica;
      if (!replica.isWell || !isReady(replica, after)) continue;
      if (best === undefined || replica.pending < best.pending) best = replica;
    }
    return best;
  };
  return async (after: ConsistencyToken | undefined): Promise<Replica | undefined> => {
    const behind = replicas.filter((replica) => replica.isWell && !isReady(replica, after));
    const looks = behind.map((replica) => replica.look());
    const ready = freest(after);
    if (ready !== undefined || looks.length === 0) return ready;
    await Promise.race(looks);
    return freest(after);
  };
}

function isReady({ reached }: Candidate, after: ConsistencyToken | undefined): boolean {
  return reached !== undefined && (after === undefined || reached >= after);
}
