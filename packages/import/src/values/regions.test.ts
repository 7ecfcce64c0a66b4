import { expect, it } from 'vitest';
import { findRegion } from './regions.ts';

it.each([
  ['Florida', 'US', 'FL'],
  ['FLA', 'US', 'FL'],
  ['Fl.', 'US', 'FL'],
  ['fl', 'US', 'FL'],
  ['Flórida', 'US', 'FL'],
  ['new york', 'US', 'NY'],
  ['N.Y.', 'US', 'NY'],
  ['Nova Iorque', 'US', 'NY'],
  ['Nueva York', 'US', 'NY'],
  ['Calif.', 'US', 'CA'],
  ['Mass.', 'US', 'MA'],
  ['N. Carolina', 'US', 'NC'],
  ['D.C.', 'US', 'DC'],
  ['Lisbon', 'PT', '11'],
  ['Lisboa', 'PT', '11'],
  ['Azores', 'PT', '20'],
  ['Seville', 'ES', 'SE'],
  ['Sevilla', 'ES', 'SE'],
  ['Cataluña', 'ES', 'CT'],
  ['Andalusia', 'ES', 'AN'],
  ['Sao Paulo', 'BR', 'SP'],
  ['Bayern', 'DE', 'BY'],
  ['Bavaria', 'DE', 'BY'],
  ['Florida', 'PT', undefined],
  ['Westeros', 'US', undefined],
  ['', 'US', undefined],
])('"%s" in %s is the region %s, by its name or a short form', (name, country, code) => {
  expect(findRegion(name, country)).toBe(code);
});
