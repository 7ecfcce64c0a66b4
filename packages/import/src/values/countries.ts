import { iso31661Alpha3ToAlpha2 } from 'iso-3166';

/** A name without case, accents and punctuation. */
export const folded = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

/** The name of a country in a language; the code if the language has none. */
export function countryName(code: string, language = 'en'): string {
  return new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code;
}

/** The language that most people of a country speak. */
const ownLanguage = (code: string) => new Intl.Locale(`und-${code}`).maximize().language;

/** The languages in which files have names of countries, beside that of the country. Of two that share a name, the last one decides. */
const languages = ['es', 'pt', 'pt-PT', 'en'] as const;

/** Further names of countries: short forms, former names, and parts of the United Kingdom. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  AE: ['UAE', 'Emirates', 'Emirados', 'EAU'],
  BO: ['Bolivia, Plurinational State of'],
  CD: ['DR Congo', 'DRC'],
  CI: ['Ivory Coast', 'Costa do Marfim', 'Costa de Marfil'],
  CV: ['Cape Verde', 'Cabo Verde'],
  CZ: ['Czech Republic', 'República Checa'],
  GB: [
    ...['UK', 'U.K.', 'Great Britain', 'Britain', 'England', 'Scotland', 'Wales', 'Northern Ireland'],
    ...[
      'Inglaterra',
      'Escócia',
      'Escocia',
      'País de Gales',
      'Gales',
      'Irlanda do Norte',
      'Irlanda del Norte',
    ],
    ...['Grã-Bretanha', 'Gran Bretaña', 'RU'],
  ],
  HK: ['Hong Kong'],
  IE: ['Eire', 'Republic of Ireland'],
  IR: ['Iran', 'Irão', 'Irã'],
  KR: ['Korea', 'South Korea', 'Coreia do Sul', 'Corea del Sur', 'Republic of Korea'],
  KP: ['North Korea'],
  LA: ['Laos'],
  MD: ['Moldova'],
  MK: ['Macedonia', 'Macedónia'],
  MM: ['Burma', 'Birmânia', 'Birmania'],
  MO: ['Macau', 'Macao'],
  NL: ['Holland', 'The Netherlands', 'Holanda'],
  PS: ['Palestine', 'Palestina'],
  RU: ['Russian Federation'],
  SY: ['Syria'],
  SZ: ['Swaziland'],
  TR: ['Turkey', 'Turquia', 'Turquía'],
  TW: ['Taiwan'],
  TZ: ['Tanzania'],
  US: [
    ...['USA', 'U.S.', 'United States of America', 'America', 'EUA', 'E.U.A.', 'EEUU', 'EE.UU.'],
    ...['Estados Unidos da América', 'Estados Unidos de América', 'Estados Unidos de America'],
  ],
  VA: ['Vatican', 'Vaticano', 'Holy See'],
  VN: ['Viet Nam'],
};

/** A name and its short forms: `Hong Kong SAR China` is Hong Kong, `Myanmar (Burma)` is Myanmar. */
const withShortForms = (name: string) => [name, name.replace(/\s*(?:\(.*\)|,.*|SAR China)\s*$/, '')];

const indexes = new WeakMap<readonly string[], Map<string, string>>();

/** The countries by their codes and names: of two that share a name, the one whose English name it is. */
function indexOf(countries: readonly string[]): Map<string, string> {
  let index = indexes.get(countries);
  if (index !== undefined) return index;
  const known = new Set(countries);
  const names = (namesOf: (code: string) => readonly string[]) =>
    countries.flatMap((code) => namesOf(code).map((name): [string, string] => [folded(name), code]));
  const inLanguage = (language: string) => {
    const forms = (['short', 'long'] as const).map(
      (style) => new Intl.DisplayNames(language, { type: 'region', style }),
    );
    return names((code) => forms.flatMap((form) => withShortForms(form.of(code) ?? code)));
  };
  const ofThreeLetters = Object.entries(iso31661Alpha3ToAlpha2).flatMap(([code, country]) =>
    known.has(country) ? [[folded(code), country] as const] : [],
  );
  index = new Map([
    ...names((code) => [countryName(code, ownLanguage(code))]),
    ...languages.flatMap(inLanguage),
    ...names((code) => otherNames[code] ?? []),
    ...ofThreeLetters,
    ...names((code) => [code]),
  ]);
  indexes.set(countries, index);
  return index;
}

/**
 * Finds the country with a code of two or three letters, or a name in English, Portuguese, Spanish or its own language, such as `USA`,
 * ignoring case, accents and punctuation; undefined for none.
 */
export function findCountry(text: string, countries: readonly string[]): string | undefined {
  return indexOf(countries).get(folded(text));
}
