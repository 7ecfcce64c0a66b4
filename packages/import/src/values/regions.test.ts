import { expect, it } from 'vitest';
import { findRegion } from './regions.ts';

it.each([
  ['Florida', 'US', 'FL'],
  ['new york', 'US', 'NY'],
  ['Sao Paulo', 'BR', 'SP'],
  ['Bayern', 'DE', 'BY'],
  ['Florida', 'PT', undefined],
  ['FL', 'US', undefined],
  ['', 'US', undefined],
])('"%s" in %s is the region %s, by its name', (name, country, code) => {
  expect(findRegion(name, country)).toBe(code);
});
