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

/** The mailbox of an address: ignores case, and dots and tags where the provider does. */
export function mailboxOf(email: string): string {
  const address = withoutCase(email);
  const at = address.lastIndexOf('@');
  const [name, host] = [address.slice(0, at), address.slice(at + 1)];
  const untagged = tagging.has(host) ? name.replace(/\+.*$/, '') : name;
  const bare = dotless.has(host) ? untagged.replaceAll('.', '') : untagged;
  return `${bare}@${host === 'googlemail.com' ? 'gmail.com' : host}`;
}
