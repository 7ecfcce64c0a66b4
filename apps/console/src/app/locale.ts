import { i18n, type Messages } from '@lingui/core';
import { lazyRouteComponent } from '@tanstack/react-router';
import { preferences } from './preferences.ts';

/** The languages of the page by their tag, each with its own name. */
export const locales: Readonly<Record<string, { name: string; direction: 'ltr' | 'rtl' }>> = {
  en: { name: 'English', direction: 'ltr' },
  pt: { name: 'Português', direction: 'ltr' },
};

type Load = () => Promise<{ messages: Messages }>;

/** The catalogues of what every view needs and of each folder, by their path. */
const catalogues: Record<string, Load> = import.meta.glob<{ messages: Messages }>([
  '../locales/*.po',
  '../*/locales/*.po',
]);

/** The folders whose messages are loaded; those of what every view needs are in `..`. */
const loaded = new Set(['..']);

/** The first language of the browser that the page has, unless one was chosen; otherwise English. */
function preferredLocale(): string {
  const wanted = [preferences().locale ?? [], navigator.languages].flat();
  const known = wanted.flatMap((tag) => [tag, tag.split('-', 1)[0] ?? tag]);
  return known.find((tag) => tag in locales) ?? 'en';
}

async function messagesOf(folder: string, locale: string): Promise<Messages> {
  const path = folder === '..' ? `../locales/${locale}.po` : `../${folder}/locales/${locale}.po`;
  const { messages } = (await catalogues[path]?.()) ?? { messages: {} };
  return messages;
}

/** Loads and shows a language: the given one, or the preferred one. */
export async function activateLocale(tag: string = preferredLocale()): Promise<void> {
  const all = await Promise.all([...loaded].map((folder) => messagesOf(folder, tag)));
  // Beside those of views that are loaded at the same time.
  i18n.load(tag, Object.assign({}, ...all) as Messages);
  i18n.activate(tag);
  document.documentElement.lang = tag;
  document.documentElement.dir = locales[tag]?.direction ?? 'ltr';
}

/** Loads the messages of a folder in the language of the page. */
async function loadMessages(folder: string): Promise<void> {
  if (loaded.has(folder)) return;
  loaded.add(folder);
  const locale = i18n.locale || preferredLocale();
  i18n.load(locale, await messagesOf(folder, locale));
}

/**
 * A component in a file of its own that is loaded when it is first shown, with the messages of its folder of `src`, and of other
 * folders whose components it shows: `lazyComponent('record', () => import('…'), 'AgentPage')`.
 */
export function lazyComponent<Module extends Record<string, unknown>, Name extends keyof Module & string>(
  folders: string | readonly string[],
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent<Module, Name>(async () => {
    const [module] = await Promise.all([load(), ...[folders].flat().map(loadMessages)]);
    return module;
  }, name);
}
