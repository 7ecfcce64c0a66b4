import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partsOf, typosBetween } from './similar-words.ts';

describe('typos', () => {
  it.each([
    ['FIGUEREDO', 'FIGUEIREDO', 1],
    ['FIGEREDO', 'FIGUEIREDO', 2],
    ['SLIVA', 'SILVA', 1],
    ['SILVAA', 'SILVA', 1],
    ['SILBA', 'SILVA', 1],
    ['FIGUEIR', 'FIGUEIREDO', 0],
    ['FIGUER', 'FIGUEIREDO', 1],
    ['REIS', 'SILVA', 3],
  ])('of %s for %s are %i', (typed, word, typos) => {
    expect(typosBetween(typed, word)).toBe(typos);
  });

  it('are at most as many as letters were changed', () => {
    const word = fc.string({ unit: fc.constantFrom(...'ABCD'), minLength: 3, maxLength: 12 });
    fc.assert(
      fc.property(word, fc.nat(), fc.constantFrom('drop', 'add', 'change', 'swap'), (text, at, kind) => {
        const place = at % (text.length - 1);
        const [before, letter, next, after] = [
          text.slice(0, place),
          text.charAt(place),
          text.charAt(place + 1),
          text.slice(place + 2),
        ];
        const typed = {
          drop: `${before}${next}${after}`,
          add: `${before}${letter}X${next}${after}`,
          change: `${before}X${next}${after}`,
          swap: `${before}${next}${letter}${after}`,
        }[kind];
        expect(typosBetween(typed, text)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('the parts of a word', () => {
  it.each([
    ['FIGUEREDO', ['% FIGUE%', '%EREDO%', '% FIG%EDO %']],
    ["ABD'A", ['% ABD%', "% AB%'A %"]],
    ['ABC--------', ['% ABC---%', '% ABC%--- %']],
    ['-----ABC', ['%-ABC%']],
    ['-----', []],
  ])('of %s are those that the trigram index can look up: %j', (word, patterns) => {
    expect(partsOf(word).map(({ inText }) => inText)).toEqual(patterns);
  });
});
