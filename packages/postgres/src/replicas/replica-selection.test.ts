import { describe, expect, it } from 'vitest';
import { type Candidate, createReplicaSelector } from './replica-selection.ts';

interface Known {
  name: string;
  replayedTo?: string;
  /** What the next probe returns. */
  probed?: string;
  isHealthy?: boolean;
  pending?: number;
}

/** A replica in this state, which counts its probes. */
function replica({ name, replayedTo = '5', probed = replayedTo, isHealthy = true, pending = 0 }: Known) {
  const known = {
    name,
    isHealthy,
    replayedTo: replayedTo as string | undefined,
    pending,
    probes: 0,
    probe: async () => {
      known.probes += 1;
      await Promise.resolve();
      known.replayedTo = probed;
    },
  };
  return known satisfies Candidate;
}

describe('the replica selected for a read', () => {
  it('has replayed what the read requires', async () => {
    const choose = createReplicaSelector([
      replica({ name: 'behind', replayedTo: '3' }),
      replica({ name: 'ahead', replayedTo: '7' }),
    ]);
    expect((await choose('5'))?.name).toBe('ahead');
    expect((await choose('7'))?.name).toBe('ahead');
  });

  it('is undefined if none has', async () => {
    const choose = createReplicaSelector([replica({ name: 'behind', replayedTo: '3' })]);
    expect(await choose('5')).toBeUndefined();
  });

  it('is probed again before it is ruled out, because it may have replayed more', async () => {
    const choose = createReplicaSelector([replica({ name: 'catching up', replayedTo: '3', probed: '6' })]);
    expect((await choose('5'))?.name).toBe('catching up');
  });

  it('is probed again for the next read even if this one goes to another', async () => {
    const catchingUp = replica({ name: 'catching up', replayedTo: '3', probed: '6' });
    const choose = createReplicaSelector([
      catchingUp,
      replica({ name: 'ready', replayedTo: '7', pending: 5 }),
    ]);
    expect((await choose('5'))?.name).toBe('ready');
    expect((await choose('5'))?.name).toBe('catching up');
    expect(catchingUp.probes).toBe(1);
  });

  it('is never an unhealthy one, which is not probed for each read either', async () => {
    const unhealthy = replica({ name: 'unhealthy', isHealthy: false });
    const choose = createReplicaSelector([unhealthy]);
    expect(await choose(undefined)).toBeUndefined();
    expect(unhealthy.probes).toBe(0);
  });

  it('is the one with the fewest statements pending, round-robin among equals', async () => {
    const busy = replica({ name: 'busy', pending: 9 });
    const choose = createReplicaSelector([busy, replica({ name: 'a' }), replica({ name: 'b' })]);
    const names = [];
    for (let count = 0; count < 6; count += 1) names.push((await choose('5'))?.name);
    expect(new Set(names)).toEqual(new Set(['a', 'b']));
  });
});
