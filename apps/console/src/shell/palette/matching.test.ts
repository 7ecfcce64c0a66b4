import { describe, expect, it } from 'vitest';
import { matching, matchOf } from './matching.ts';

describe('what the palette finds', () => {
  it('has every word of the text, without regard to case, accents and punctuation', () => {
    expect(matchOf('Do not disturb: “Dupes”', "dupe's, disturb")).toBe(1);
    expect(matchOf('Sign-in links', 'sign in')).toBe(2);
    expect(matchOf('Agências', 'agenc')).toBe(2);
    expect(matchOf('Go to the scheduled changes', 'CHANGES sched')).toBe(1);
    expect(matchOf('Imports', 'port')).toBe(0.5);
    expect(matchOf('Imports', 'export')).toBe(0);
  });

  it('is everything for no text, in its order', () => {
    const items = [{ label: 'Offices' }, { label: 'Agents' }];
    expect(matching(items, ' ')).toEqual(items);
  });

  it('has first what begins with the text', () => {
    const items = [{ label: 'All keys' }, { label: 'Monkeys' }, { label: 'Keys' }];
    expect(matching(items, 'key').map(({ label }) => label)).toEqual(['Keys', 'All keys', 'Monkeys']);
  });
});
