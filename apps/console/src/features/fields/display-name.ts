/** The name of a language or a country in the language of the page; the code itself if it has none. */
export function displayName(type: 'language' | 'region', code: string, locale: string): string {
  try {
    return new Intl.DisplayNames(locale, { type }).of(code) ?? code;
  } catch {
    return code;
  }
}
