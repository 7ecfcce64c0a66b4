import { describe, expect, it } from 'vitest';
import { type Candidate, chooserOf } from './replica-selection.ts';

interface Known {
  name: string;
  reached?: string;
  /** How far it really is, as it says when it is asked. */
  really?: string;
  isWell?: boolean;
  pending?: number;
}

/** A replica of which so much is known. */
function replica({ name, reached = '5', really = reached, isWell = true, pending = 0 }: Known) {
  const known = {
    name,
    isWell,
    reached: reached as string | undefined,
    pending,
    looks: 0,
    look: async () => {
      known.looks += 1;
      await Promise.resolve();
      known.reached = really;
    },
  };
  return known satisfies Candidate;
}

describe('the replica of a read', () => {
  it('has come as far as the read needs', async () => {
    const choose = chooserOf([
      replica({ name: 'old', reached: '3' }),
      replica({ name: 'new', reached: '7' }),
    ]);
    expect((await choose('5'))?.name).toBe('new');
    expect((await choose('7'))?.name).toBe('new');
  });

  it('is none where none has', async () => {
    const choose = chooserOf([replica({ name: 'old', reached: '3' })]);
    expect(await choose('5')).toBeUndefined();
  });

  it('is asked again before it is left out, because it may have come further', async () => {
    const choose = chooserOf([replica({ name: 'grown', reached: '3', really: '6' })]);
    expect((await choose('5'))?.name).toBe('grown');
  });

  it('is asked again for the next read even where this one goes to another', async () => {
    const grown = replica({ name: 'grown', reached: '3', really: '6' });
    const choose = chooserOf([grown, replica({ name: 'ready', reached: '7', pending: 5 })]);
    expect((await choose('5'))?.name).toBe('ready');
    expect((await choose('5'))?.name).toBe('grown');
    expect(grown.looks).toBe(1);
  });

  it('is never one that is not well, and such a one is not asked for each read', async () => {
    const away = replica({ name: 'away', isWell: false });
    const choose = chooserOf([away]);
    expect(await choose(undefined)).toBeUndefined();
    expect(away.looks).toBe(0);
  });

  it('is the one with the least to do, and of equals each in its turn', async () => {
    const busy = replica({ name: 'busy', pending: 9 });
    const choose = chooserOf([busy, replica({ name: 'a' }), replica({ name: 'b' })]);
    const names = [];
    for (let count = 0; count < 6; count += 1) names.push((await choose('5'))?.name);
    expect(new Set(names)).toEqual(new Set(['a', 'b']));
  });
});
