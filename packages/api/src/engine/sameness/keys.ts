import { domainToUnicode } from 'node:url';
import { asciiCapitals, withoutCase } from '@roster/fields/text';
import { folded } from './folding.ts';

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

/** Ignores case and the number of blanks, but not accents. The index on office names has the same expression. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').replaceAll(/\s+/g, ' ').toUpperCase();
}

/** Ignores case, accents and white space, and so the split between first and last name. */
export function spokenName(names: readonly string[]): string {
  return folded(names.join(' ')).replaceAll(/\s+/g, ' ').trim();
}

const dotless = new Set(['gmail.com', 'googlemail.com']);
const tagging = new Set([
  ...dotless,
  ...['outlook.com', 'hotmail.com', 'live.com', 'icloud.com', 'me.com', 'mac.com'],
  ...['fastmail.com', 'proton.me', 'protonmail.com', 'pm.me', 'yandex.com', 'yandex.ru', 'zoho.com'],
]);

/** An address with its host in letters: `ana@xn--bcher-kva.example` is `ana@bücher.example` (IDNA). One mailbox has one form then. */
export function lettersOfHost(email: string): string {
  if (!/xn--/i.test(email)) return email;
  const at = email.lastIndexOf('@');
  const host = domainToUnicode(email.slice(at + 1));
  return host === '' ? email : `${email.slice(0, at)}@${host}`;
}

/** The mailbox of an address: ignores case, and dots and tags where the provider does. */
export function mailboxOf(email: string): string {
  const address = withoutCase(lettersOfHost(email));
  const at = address.lastIndexOf('@');
  const [name, host] = [address.slice(0, at), address.slice(at + 1)];
  const untagged = tagging.has(host) ? name.replace(/\+.*$/, '') : name;
  const bare = dotless.has(host) ? untagged.replaceAll('.', '') : untagged;
  return `${bare}@${host === 'googlemail.com' ? 'gmail.com' : host}`;
}

interface NumberedLicense {
  number: string;
  region: string | null;
}

/** After NFKC in capitals. The database function `license_number_key` has the same set. */
const signs =
  /[\t\n\r\u0020-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u2212\u2215\u3000-\u3003\u3008-\u3020\u3030]+/g;

/** Letters and digits, in capitals: `l-1` becomes `L1`. */
export function licenseNumberKey(number: string): string {
  const capitals = number.normalize('NFKC').toUpperCase().normalize('NFC');
  return capitals.replaceAll(signs, '') || capitals;
}

export function licenseKey({ number, region }: NumberedLicense): string {
  return `${licenseNumberKey(number)} ${regionCode(region ?? '')}`;
}

export function isSameLicense(one: NumberedLicense, other: NumberedLicense): boolean {
  if (licenseNumberKey(one.number) !== licenseNumberKey(other.number)) return false;
  return one.region === null || other.region === null || regionCode(one.region) === regionCode(other.region);
}
