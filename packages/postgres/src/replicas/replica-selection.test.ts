import { describe, expect, it } from 'vitest';
import { type Candidate, createReplicaSelector } from './replica-selection.ts';

interface Known {
  name: string;
  replayedTo?: string;
  /** How far it really is, as it says when it is asked. */
  really?: string;
  isHealthy?: boolean;
  pending?: number;
}

/** A replica of which so much is known. */
function replica({ name, replayedTo = '5', really = replayedTo, isHealthy = true, pending = 0 }: Known) {
  const known = {
    name,
    isHealthy,
    replayedTo: replayedTo as string | undefined,
    pending,
    probes: 0,
    probe: async () => {
      known.probes += 1;
      await Promise.resolve();
      known.replayedTo = really;
    },
  };
  return known satisfies Candidate;
}

describe('the replica of a read', () => {
  it('has come as far as the read needs', async () => {
    const choose = createReplicaSelector([
      replica({ name: 'old', replayedTo: '3' }),
      replica({ name: 'new', replayedTo: '7' }),
    ]);
    expect((await choose('5'))?.name).toBe('new');
    expect((await choose('7'))?.name).toBe('new');
  });

  it('is none where none has', async () => {
    const choose = createReplicaSelector([replica({ name: 'old', replayedTo: '3' })]);
    expect(await choose('5')).toBeUndefined();
  });

  it('is asked again before it is left out, because it may have come further', async () => {
    const choose = createReplicaSelector([replica({ name: 'grown', replayedTo: '3', really: '6' })]);
    expect((await choose('5'))?.name).toBe('grown');
  });

  it('is asked again for the next read even where this one goes to another', async () => {
    const grown = replica({ name: 'grown', replayedTo: '3', really: '6' });
    const choose = createReplicaSelector([grown, replica({ name: 'ready', replayedTo: '7', pending: 5 })]);
    expect((await choose('5'))?.name).toBe('ready');
    expect((await choose('5'))?.name).toBe('grown');
    expect(grown.probes).toBe(1);
  });

  it('is never one that is not well, and such a one is not asked for each read', async () => {
    const away = replica({ name: 'away', isHealthy: false });
    const choose = createReplicaSelector([away]);
    expect(await choose(undefined)).toBeUndefined();
    expect(away.probes).toBe(0);
  });

  it('is the one with the least to do, and of equals each in its turn', async () => {
    const busy = replica({ name: 'busy', pending: 9 });
    const choose = createReplicaSelector([busy, replica({ name: 'a' }), replica({ name: 'b' })]);
    const names = [];
    for (let count = 0; count < 6; count += 1) names.push((await choose('5'))?.name);
    expect(new Set(names)).toEqual(new Set(['a', 'b']));
  });
});
