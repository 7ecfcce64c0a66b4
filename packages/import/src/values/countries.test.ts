import { expect, it } from 'vitest';
import { countryName, findCountry } from './countries.ts';

const countries = ['BR', 'CI', 'DE', 'PT', 'US'];

it.each([
  ['pt', 'PT'],
  ['Portugal', 'PT'],
  ['brasil', 'BR'],
  ['BRAZIL', 'BR'],
  ["cote d'ivoire", 'CI'],
  ['Deutschland', 'DE'],
  ['U.S.A.', 'US'],
  ['United States of America', 'US'],
  ['Estados Unidos', undefined],
  ['Spain', undefined],
  ['', undefined],
])('"%s" is the country %s, by its code or its name in English or its own language', (text, code) => {
  expect(findCountry(text, countries)).toBe(code);
});

it('a country has a name in each language', () => {
  expect([countryName('BR'), countryName('BR', 'pt')]).toEqual(['Brazil', 'Brasil']);
});
