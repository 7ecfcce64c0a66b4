const folded = (text: string) =>
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

/** Finds the country with a code or a name, in English or its own language, ignoring case, accents and punctuation; undefined for none. */
export function findCountry(text: string, countries: readonly string[]): string | undefined {
  const wanted = folded(text);
  const english = new Intl.DisplayNames('en', { type: 'region' });
  const isIt = (name: string) => folded(name) === wanted;
  return (
    countries.find((code) => isIt(code) || isIt(english.of(code) ?? code)) ??
    countries.find((code) => isIt(ownName(code)))
  );
}
