import { withoutCase } from '@roster/fields/text';
import { folded } from './folding.ts';

/** Names, by which records are told apart, and the mailboxes behind addresses. */

/**
 * A name by which records are told from others: in its compatibility form, without letter case. Accents count. The index on names of offices has it
 * in these words.
 */
export function nameKey(name: string): string {
  return name.normalize('NFKC').toUpperCase();
}

/**
 * A name of several fields by which it is known that a record has another name: first and last name are one text, so that it does not
 * count where one ends. Accents and white space do not count either, as in a search.
 */
export function spokenName(names: readonly string[]): string {
  return folded(names.join(' ')).replaceAll(/\s+/g, ' ').trim();
}

/** Providers that deliver to one mailbox whatever dots are in the name. */
const dotless = new Set(['gmail.com', 'googlemail.com']);
/** Providers that deliver what follows a plus sign to the mailbox before it. */
const tagging = new Set([
  ...dotless,
  ...['outlook.com', 'hotmail.com', 'live.com', 'icloud.com', 'me.com', 'mac.com'],
  ...['fastmail.com', 'proton.me', 'protonmail.com', 'pm.me', 'yandex.com', 'yandex.ru', 'zoho.com'],
]);

/** The mailbox behind an address: without case, and without dots and tags where the provider ignores them. */
export function mailboxOf(email: string): string {
  const address = withoutCase(email);
  const at = address.lastIndexOf('@');
  const [name, host] = [address.slice(0, at), address.slice(at + 1)];
  const untagged = tagging.has(host) ? name.replace(/\+.*$/, '') : name;
  const bare = dotless.has(host) ? untagged.replaceAll('.', '') : untagged;
  return `${bare}@${host === 'googlemail.com' ? 'gmail.com' : host}`;
}
