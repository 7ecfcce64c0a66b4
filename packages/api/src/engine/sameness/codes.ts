import { asciiCapitals } from '@roster/fields/text';

/** Codes are stored in the letter case of their standard, and read in any. */

/** A country: ISO 3166-1 alpha-2. */
export const countryCode = asciiCapitals;

/** A state or province: the part of an ISO 3166-2 code after the hyphen. */
export const regionCode = asciiCapitals;

/** A language by its tag (BCP 47) in its canonical form: `pt-br` is `pt-BR`. Any other text stays as it is. */
export function languageCode(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? tag;
  } catch {
    return tag;
  }
}

/** Whether a text is the tag of a language. */
export function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}
