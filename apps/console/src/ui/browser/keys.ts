import type { MessageDescriptor } from '@lingui/core';

export interface Shortcut {
  /**
   * The keys, as in `KeyboardEvent.key`: `/`, `?`, `j`, `Escape`; one after the other: `g a`. `Mod` is Ctrl, or ⌘ on a Mac:
   * `Mod+k`. `Shift` is not named: `?` and `N` are keys of their own.
   */
  keys: string;
  label: MessageDescriptor;
  group: 'everywhere' | 'go' | 'list' | 'record';
  /** None if something else has the key, which is only listed. */
  run?: (() => void) | undefined;
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

export const modifierName = isMac ? '⌘' : 'Ctrl';

/** The name of a pressed key, as in `Shortcut.keys`; undefined for a key that no shortcut may take from the browser. */
export function nameOf(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>, mac = isMac) {
  const isMod = mac ? event.metaKey : event.ctrlKey;
  const isOther = mac ? event.ctrlKey : event.metaKey;
  if (event.altKey || isOther) return undefined;
  return isMod ? `Mod+${event.key.toLowerCase()}` : event.key;
}

/** The shortcut that a key completes, given the keys before it; otherwise whether a longer one begins with them. */
export function match(
  shortcuts: readonly Shortcut[],
  keys: readonly string[],
): Shortcut | 'begun' | undefined {
  const text = keys.join(' ');
  const found = shortcuts.find(({ keys: own, run }) => own === text && run !== undefined);
  return found ?? (shortcuts.some((shortcut) => shortcut.keys.startsWith(`${text} `)) ? 'begun' : undefined);
}
