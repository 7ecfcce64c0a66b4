import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { folded, foldedWithPlaces, unaccented } from './folding.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }).filter((value) => value.isWellFormed()),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    'João',
    'Łódź',
    'ÆRØ',
    'Þór',
    'Étoile',
    'E\u0301',
    'Παπαδόπουλος',
    'がく',
    'İstanbul',
    'ﬃ',
    '서울',
  ),
);

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
const graphemesOf = (value: string) => Array.from(segmenter.segment(value), ({ segment }) => segment);

describe('folding', () => {
  it.each([
    ['João', 'JOAO'],
    ['Łódź Ørsted', 'LODZ ORSTED'],
    ['Ærø Þór œuvre Straße', 'AERO THOR OEUVRE STRASSE'],
    ['Cafe\u0301', 'CAFE'],
    ['Παπαδόπουλος', 'ΠΑΠΑΔΟΠΟΥΛΟΣ'],
    ['Йосип', 'ИОСИП'],
    ['がく ｶﾞ', 'がく ガ'],
    ['हिन्दी', 'हिन्दी'],
    ['서울', '서울'],
    ['O’Malley O´Malley', 'OMALLEY OMALLEY'],
    ['Smith‐Jones', 'SMITH JONES'],
  ])('takes the accents and the punctuation from %s: %s', (given, expected) => {
    expect(folded(given)).toBe(expected);
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(text, (value) => {
        const once = unaccented(value.normalize('NFKC').toUpperCase());
        expect(unaccented(once)).toBe(once);
      }),
      { numRuns: 2_000 },
    );
  });

  it('keeps for every part of the folded text the part of the text that it comes from', () => {
    fc.assert(
      fc.property(text, (value) => {
        const { folded: all, placeAt } = foldedWithPlaces(value);
        expect(all).toBe(Array.from(graphemesOf(value), folded).join(''));
        const places = Array.from({ length: all.length }, (_, unit) => placeAt(unit));
        let end = 0;
        for (const place of places) {
          expect(place.start).toBeGreaterThanOrEqual(place.end === end ? 0 : end);
          expect(place.end).toBeGreaterThan(place.start);
          end = place.end;
        }
        expect(end).toBeLessThanOrEqual(value.length);
      }),
      { numRuns: 500 },
    );
  });
});
