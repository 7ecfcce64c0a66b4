import { i18n, type Messages } from '@lingui/core';
import { preferences } from './preferences.ts';

export const locales: Readonly<Record<string, { name: string; direction: 'ltr' | 'rtl' }>> = {
  en: { name: 'English', direction: 'ltr' },
  pt: { name: 'Português', direction: 'ltr' },
};

/** The catalogues by their path, each a file of the build with all messages of the page. */
const catalogues = import.meta.glob<{ messages: Messages }>('../../locales/*.po');

export const languageOf = (tag: string): string | undefined =>
  [tag, tag.split('-', 1)[0] ?? tag].find((one) => one in locales);

/** The first language of the browser that the page has, unless one was chosen; otherwise English. */
function preferredLocale(): string {
  const wanted = [preferences().locale ?? [], navigator.languages].flat();
  return wanted.map(languageOf).find((tag) => tag !== undefined) ?? 'en';
}

/** A language with the region that the browser has for it first, such as en-GB: dates and numbers follow it, the texts have none. */
const withRegion = (language: string): string =>
  navigator.languages.find((wanted) => languageOf(wanted) === language) ?? language;

export async function activateLocale(tag: string = preferredLocale()): Promise<void> {
  const load = catalogues[`../../locales/${tag}.po`];
  if (load === undefined) throw new Error(`The build has no messages in ${tag}`);
  const locale = withRegion(tag);
  i18n.load(locale, (await load()).messages);
  document.documentElement.lang = tag;
  document.documentElement.dir = locales[tag]?.direction ?? 'ltr';
  i18n.activate(locale);
}
