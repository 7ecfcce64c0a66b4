import { i18n, type Messages } from '@lingui/core';
import { type ComponentType, createElement, use } from 'react';
import { loadPart, PartError } from './lazy-chunks.ts';
import { preferences } from './preferences.ts';

/** The languages of the page by their tag, each with its own name. */
export const locales: Readonly<Record<string, { name: string; direction: 'ltr' | 'rtl' }>> = {
  en: { name: 'English', direction: 'ltr' },
  pt: { name: 'Português', direction: 'ltr' },
};

type Load = () => Promise<{ messages: Messages }>;

/** The catalogues by their path: `core` is that of what every view needs, the others are those of folders. */
const catalogues: Record<string, Load> = import.meta.glob<{ messages: Messages }>(['../locales/*/*.po']);

/** The catalogues that are loaded, or are being loaded. */
const loads = new Map<string, Promise<void>>([['core', Promise.resolve()]]);

/** The first language of the browser that the page has, unless one was chosen; otherwise English. */
function preferredLocale(): string {
  const wanted = [preferences().locale ?? [], navigator.languages].flat();
  const known = wanted.flatMap((tag) => [tag, tag.split('-', 1)[0] ?? tag]);
  return known.find((tag) => tag in locales) ?? 'en';
}

async function messagesOf(folder: string, locale: string): Promise<Messages> {
  const load = catalogues[`../locales/${folder}/${locale}.po`];
  const { messages } = load === undefined ? { messages: {} } : await load();
  return messages;
}

/** Loads and shows a language: the given one, or the preferred one. */
export async function activateLocale(tag: string = preferredLocale()): Promise<void> {
  const all = await Promise.all([...loads.keys()].map((folder) => messagesOf(folder, tag)));
  // Beside those of views that are loaded at the same time.
  i18n.load(tag, Object.assign({}, ...all) as Messages);
  i18n.activate(tag);
  document.documentElement.lang = tag;
  document.documentElement.dir = locales[tag]?.direction ?? 'ltr';
}

/** Loads a catalogue in the language of the page, once. Every view that needs it waits for it. */
function loadMessages(folder: string): Promise<void> {
  const existing = loads.get(folder);
  if (existing !== undefined) return existing;
  const locale = i18n.locale || preferredLocale();
  const loading = messagesOf(folder, locale).then(
    (messages) => i18n.load(locale, messages),
    (error: unknown) => {
      loads.delete(folder);
      throw error;
    },
  );
  loads.set(folder, loading);
  return loading;
}

type PropsOf<Component> = Component extends (props: infer Props) => unknown ? Props & object : never;

type Views = Record<string, unknown>;
/** Folders of `src/locales` whose messages are needed. */
type Folders = string | readonly string[];

/** Loads a component of a file, and the messages of its folder. Throws `PartError`. */
async function loadComponent<Module extends Views, Name extends keyof Module & string>(
  folders: Folders,
  load: () => Promise<Module>,
  name: Name,
) {
  const [module] = await loadPart(() => Promise.all([load(), ...[folders].flat().map(loadMessages)]));
  return module[name] as ComponentType<PropsOf<Module[Name]>>;
}

/** How long after a failure a part is tried again, in milliseconds. */
const RETRY_MS = 2_000;

/**
 * A component in a file of its own that is loaded when it is first shown, with the catalogue of its folder, and those of other
 * folders whose components it shows: `lazyComponent('edit', () => import('…'), 'DraftBar')`. Until it is there, the fallback of
 * the `Suspense` above is shown, also while the service is away: a part must not take with it what is shown around it.
 */
export function lazyComponent<Module extends Views, Name extends keyof Module & string>(
  folders: Folders,
  load: () => Promise<Module>,
  name: Name,
) {
  type Props = PropsOf<Module[Name]>;
  let component: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  const loadUntilThere = async (): Promise<void> => {
    while (component === undefined) {
      try {
        component = await loadComponent(folders, load, name);
      } catch (error) {
        // Then it is there when the page is loaded again, which has been offered.
        if (!(error instanceof PartError) || error.needsReload) return new Promise(() => {});
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  };
  const preload = (): Promise<void> => {
    loading ??= loadUntilThere();
    return loading;
  };
  function Part(props: Props) {
    if (component === undefined) use(preload());
    return createElement(component as unknown as ComponentType<Props>, props);
  }
  return Object.assign(Part, { preload });
}

/**
 * The same for a view of the router. If it cannot be loaded, the router gets a `PartError` to show in its place, and loads it again
 * when it is told to.
 */
export function lazyView<Module extends Views, Name extends keyof Module & string>(
  folders: Folders,
  load: () => Promise<Module>,
  name: Name,
) {
  type Props = PropsOf<Module[Name]>;
  let component: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  const preload = (): Promise<void> | undefined => {
    if (component !== undefined) return undefined;
    loading ??= loadComponent(folders, load, name)
      .then((loaded) => {
        component = loaded;
      })
      .finally(() => {
        loading = undefined;
      });
    return loading;
  };
  function View(props: Props) {
    // The router shows it when it is loaded.
    return component === undefined ? null : createElement(component, props);
  }
  return Object.assign(View, { preload });
}
