import { i18n, type Messages } from '@lingui/core';
import { preferences } from './preferences.ts';

export const locales: Readonly<Record<string, { name: string; direction: 'ltr' | 'rtl' }>> = {
  en: { name: 'English', direction: 'ltr' },
  pt: { name: 'Português', direction: 'ltr' },
};

/** The catalogues by their path, each a file of the build: the texts of the first view, and those of everything that is opened later. */
const catalogues = import.meta.glob<{ messages: Messages }>('../../locales/**/*.po');

export const languageOf = (tag: string): string | undefined =>
  [tag, tag.split('-', 1)[0] ?? tag].find((one) => one in locales);

/** The first language of the browser that the page has, unless one was chosen; otherwise English. */
function preferredLocale(): string {
  const wanted = [preferences().locale ?? [], navigator.languages].flat();
  return wanted.map(languageOf).find((tag) => tag !== undefined) ?? 'en';
}

/** A language in the region of the browser, such as en-DE: dates and numbers follow that, whatever the language. */
function inRegion(language: string): string {
  const { region = '' } = new Intl.Locale(navigator.language).maximize();
  return [language, region].filter(Boolean).join('-');
}

async function loadMessages(language: string, part: 'first/' | ''): Promise<void> {
  const load = catalogues[`../../locales/${part}${language}.po`];
  if (load === undefined) throw new Error(`The build has no messages in ${language}`);
  i18n.load(inRegion(language), (await load()).messages);
}

let language = preferredLocale();
let others: Promise<void> | undefined;

/** Loads the texts of what is opened later, in the language of the page; once, unless that fails. */
export function loadOtherMessages(): Promise<void> {
  others ??= loadMessages(language, '').catch((error: unknown) => {
    others = undefined;
    throw error;
  });
  return others;
}

/** Shows the page in a language; without one in that of the browser, of which the texts of the first view are enough to begin with. */
export async function activateLocale(chosen?: string): Promise<void> {
  const wanted = chosen ?? language;
  await Promise.all([loadMessages(wanted, 'first/'), chosen === undefined || loadMessages(wanted, '')]);
  language = wanted;
  document.documentElement.lang = wanted;
  document.documentElement.dir = locales[wanted]?.direction ?? 'ltr';
  i18n.activate(inRegion(wanted));
}
