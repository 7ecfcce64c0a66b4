import { asciiCapitals } from '@roster/fields/text';

export const countryCode = asciiCapitals;

export const regionCode = asciiCapitals;

export function languageCode(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? tag;
  } catch {
    return tag;
  }
}

export function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}
