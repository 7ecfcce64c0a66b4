import { domainToUnicode } from 'node:url';
import { withoutCase } from '@roster/fields/text';
import { folded } from './folding.ts';

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
