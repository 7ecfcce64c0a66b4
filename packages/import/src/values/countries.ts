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

/** The name of a country in the language that most people speak there. */
const ownName = (code: string) => countryName(code, new Intl.Locale(`und-${code}`).maximize().language);

/** Further names that files have for a country. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  GB: ['UK', 'Great Britain'],
  NL: ['Holland'],
  US: ['USA', 'United States of America'],
};

const indexes = new WeakMap<readonly string[], Map<string, string>>();

/** The countries by their codes and names: of two that share a name, the one whose English name it is. */
function indexOf(countries: readonly string[]): Map<string, string> {
  let index = indexes.get(countries);
  if (index === undefined) {
    const names = (nameOf: (code: string) => string) =>
      countries.map((code): [string, string] => [folded(nameOf(code)), code]);
    const others = countries.flatMap((code) =>
      (otherNames[code] ?? []).map((name): [string, string] => [folded(name), code]),
    );
    index = new Map([...names(ownName), ...names(countryName), ...others, ...names((code) => code)]);
    indexes.set(countries, index);
  }
  return index;
}

/** Finds the country with a code or a name, in English or its own language, such as `USA`, ignoring case, accents and punctuation; undefined for none. */
export function findCountry(text: string, countries: readonly string[]): string | undefined {
  return indexOf(countries).get(folded(text));
}
