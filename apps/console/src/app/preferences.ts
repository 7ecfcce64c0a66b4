import { useSyncExternalStore } from 'react';

/** What a person prefers in this browser. */
export interface Preferences {
  theme: 'system' | 'light' | 'dark';
  /** The language; undefined for the browser's. */
  locale: string | undefined;
}

const STORAGE_KEY = 'roster.preferences';
const defaults: Preferences = { theme: 'system', locale: undefined };
const listeners = new Set<() => void>();
let current = read();

function read(): Preferences {
  try {
    return {
      ...defaults,
      ...(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Partial<Preferences>),
    };
  } catch {
    return defaults;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The theme is an attribute of the root, which the colours depend on. */
export function applyTheme({ theme }: Preferences = current): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export const preferences = (): Preferences => current;

/** Changes preferences, for this page and the next ones of this browser. */
export function setPreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change };
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(current));
  } catch {
    // A browser without storage forgets them with the page.
  }
  applyTheme();
  for (const listener of listeners) listener();
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, preferences);
}

// Another tab of this browser has changed them.
window.addEventListener('storage', ({ key }) => {
  if (key !== STORAGE_KEY) return;
  current = read();
  applyTheme();
  for (const listener of listeners) listener();
});
