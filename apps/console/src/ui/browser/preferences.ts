import { createStore, useStore } from '../../api/store.ts';
import { keep, readKept } from './storage.ts';

export interface Preferences {
  theme: 'system' | 'light' | 'dark';
  locale: string | undefined;
  timeZone: 'local' | 'UTC';
  /** Whether keys without Ctrl, ⌘ or Alt do something (WCAG 2.1.4: they can be turned off). */
  hasShortcuts: boolean;
  /** Whether the pages of operations are shown in the sidebar. */
  isOperationsOpen: boolean;
}

export const PREFERENCES_KEY = 'roster.preferences';
const defaults: Preferences = {
  theme: 'system',
  locale: undefined,
  timeZone: 'local',
  hasShortcuts: true,
  isOperationsOpen: false,
};
const store = createStore(read());

function read(): Preferences {
  return { ...defaults, ...readKept<Partial<Preferences>>(PREFERENCES_KEY) };
}

/** The theme is an attribute of the root, which the styles depend on. */
export function applyPreferences(): void {
  const { theme } = store.get();
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
}

export const preferences = (): Preferences => store.get();

export function setPreferences(change: Partial<Preferences>): void {
  store.set({ ...store.get(), ...change });
  keep(PREFERENCES_KEY, store.get());
  applyPreferences();
}

export function usePreferences(): Preferences {
  return useStore(store);
}

// Another tab of this browser has changed them.
window.addEventListener('storage', ({ key }) => {
  if (key !== PREFERENCES_KEY) return;
  store.set(read());
  applyPreferences();
});
