import { expect, it } from 'vitest';
import { countries } from './countries.ts';
import { regionsOf } from './regions.ts';

it('the regions of a country have the codes that an address takes, and names', () => {
  expect(regionsOf('PT')).toContainEqual({ code: '11', name: 'Lisboa' });
  expect(regionsOf('US')).toContainEqual({ code: 'FL', name: 'Florida' });
  const all = countries.flatMap(regionsOf);
  expect(all.length).toBeGreaterThan(4_000);
  expect(all.filter(({ code, name }) => !/^[A-Z0-9]{1,3}$/.test(code) || name === '')).toEqual([]);
});

it('a country without regions, and what is no country, has none', () => {
  expect([regionsOf('AQ'), regionsOf('XX'), regionsOf('')]).toEqual([[], [], []]);
});
