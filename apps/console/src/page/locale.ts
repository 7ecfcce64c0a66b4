import { i18n, type Messages } from '@lingui/core';
import { preferences } from './preferences.ts';

/** The languages of the page by their tag, each with its own name. */
export const locales: Readonly<Record<string, { name: string; direction: 'ltr' | 'rtl' }>> = {
  en: { name: 'English', direction: 'ltr' },
  pt: { name: 'Português', direction: 'ltr' },
};

/** The catalogues by their path, each a file of the build with all messages of the page. */
const catalogues = import.meta.glob<{ messages: Messages }>('../locales/*.po');

/** The first language of the browser that the page has, unless one was chosen; otherwise English. */
function preferredLocale(): string {
  const wanted = [preferences().locale ?? [], navigator.languages].flat();
  const known = wanted.flatMap((tag) => [tag, tag.split('-', 1)[0] ?? tag]);
  return known.find((tag) => tag in locales) ?? 'en';
}

/** Loads and shows a language: the given one, or the preferred one. */
export async function activateLocale(tag: string = preferredLocale()): Promise<void> {
  const catalogue = await catalogues[`../locales/${tag}.po`]?.();
  i18n.load(tag, catalogue?.messages ?? {});
  i18n.activate(tag);
  document.documentElement.lang = tag;
  document.documentElement.dir = locales[tag]?.direction ?? 'ltr';
}
