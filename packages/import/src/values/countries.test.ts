import { countries as all } from '@roster/fields/countries';
import { expect, it } from 'vitest';
import { countryName, findCountry } from './countries.ts';

const countries = [...all];

it.each([
  ['pt', 'PT'],
  ['PRT', 'PT'],
  ['Portugal', 'PT'],
  ['brasil', 'BR'],
  ['BRAZIL', 'BR'],
  ["cote d'ivoire", 'CI'],
  ['Ivory Coast', 'CI'],
  ['Deutschland', 'DE'],
  ['Alemanha', 'DE'],
  ['Alemania', 'DE'],
  ['U.S.A.', 'US'],
  ['United States of America', 'US'],
  ['Estados Unidos', 'US'],
  ['EUA', 'US'],
  ['EE. UU.', 'US'],
  ['GBR', 'GB'],
  ['England', 'GB'],
  ['Reino Unido', 'GB'],
  ['Turkey', 'TR'],
  ['Türkiye', 'TR'],
  ['Turquia', 'TR'],
  ['Hong Kong', 'HK'],
  ['Macau', 'MO'],
  ['Espanha', 'ES'],
  ['España', 'ES'],
  ['Países Baixos', 'NL'],
  ['Holanda', 'NL'],
  ['Czech Republic', 'CZ'],
  ['Suíça', 'CH'],
  ['Atlantis', undefined],
  ['', undefined],
])(
  '"%s" is the country %s, by its code or its name in English, Portuguese, Spanish or its own language',
  (text, code) => {
    expect(findCountry(text, countries)).toBe(code);
  },
);

it('every country is found by its English, Portuguese and Spanish name, but for the second that has one', () => {
  const isFound = (code: string, language: string) =>
    findCountry(countryName(code, language), countries) === code;
  const lost = ['en', 'pt', 'es'].flatMap((language) =>
    countries.filter((code) => !isFound(code, language)).map((code) => `${code} ${language}`),
  );
  // São Martinho is the name of both parts of the island.
  expect(lost).toEqual(['MF pt']);
});

it('a country has a name in each language', () => {
  expect([countryName('BR'), countryName('BR', 'pt')]).toEqual(['Brazil', 'Brasil']);
});
