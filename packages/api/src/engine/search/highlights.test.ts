import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentFields } from '../../directory/agents/schemas.ts';
import { folded } from '../sameness/folding.ts';
import { highlightsIn, matchesIn } from './highlights.ts';

const letters = fc.string({
  unit: fc.constantFrom(...'aáÁbßøæんが서é e\u0301ﬁΣς-'),
  minLength: 1,
  maxLength: 12,
});

describe('highlights', () => {
  it('lie within the text, in order and apart, and each contains a word', () => {
    fc.assert(
      fc.property(letters, fc.array(letters, { minLength: 1, maxLength: 4 }), (text, given) => {
        const words = given.map((word) => folded(word).trim()).filter((word) => word !== '');
        let end = -1;
        for (const match of matchesIn(text, words)) {
          expect(match.start).toBeGreaterThan(end);
          expect(match.end).toBeLessThanOrEqual(text.length);
          const part = folded(text.slice(match.start, match.end));
          expect(words.some((word) => part.includes(word))).toBe(true);
          end = match.end;
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('find a word at any place of a text, whatever its accents and letter case', () => {
    fc.assert(
      fc.property(letters, letters, (before, after) => {
        const start = before.length + 1;
        const found = matchesIn(`${before} João ${after}`, ['JOAO']);
        expect(found.some((range) => range.start === start && range.end === start + 4)).toBe(true);
      }),
    );
  });

  it('name the field, that of an address by its path, and no field that is not searched', () => {
    const record = {
      firstName: 'Ana',
      lastName: 'Reis',
      displayName: 'Ana Reis',
      bio: 'ana',
      address: { city: 'Viana' },
    };
    const terms = [[{ text: 'ANA', distance: 0 }]];
    expect(
      highlightsIn([record, { firstName: 'Rui', address: null }], { fields: agentFields }, terms),
    ).toEqual([
      [
        { field: 'firstName', start: 0, end: 3 },
        { field: 'displayName', start: 0, end: 3 },
        { field: 'address.city', start: 2, end: 5 },
      ],
      [],
    ]);
  });
});
