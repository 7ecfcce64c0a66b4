'use no memo';

import { useEffect, useEffectEvent } from 'react';
import { match, nameOf, type Shortcut } from './keys.ts';
import { preferences } from './preferences.ts';

/** The longest pause before the next key of a sequence, in milliseconds. */
const SEQUENCE_MS = 1_500;

let registered: readonly (readonly Shortcut[])[] = [];
let typed: string[] = [];
let typedAt = 0;

const isOfView = ({ group }: Shortcut) => group === 'list' || group === 'record';

/** All shortcuts of what is shown now. Of two with the same keys, that of the view holds over that of its frame. */
export function currentShortcuts(): Shortcut[] {
  const all = registered.flat();
  const ordered = [...all.filter((one) => !isOfView(one)), ...all.filter(isOfView)];
  return [...new Map(ordered.map((shortcut) => [shortcut.keys, shortcut])).values()];
}

/** Makes keys do something as long as the component is shown. None works while someone types, or in a dialog or a menu. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const find = useEffectEvent((keys: string) => shortcuts.find((one) => one.keys === keys));
  const names = shortcuts.map(({ keys }) => keys).join('\n');
  useEffect(() => {
    const own = shortcuts.map((one) => ({ ...one, run: one.run && (() => find(one.keys)?.run?.()) }));
    registered = [...registered, own];
    return () => {
      registered = registered.filter((one) => one !== own);
    };
  }, [names]);
}

/** Whether keys belong to what has the focus: a field, a menu, a popover, or an open dialog. */
function isTaken(target: EventTarget | null): boolean {
  if (document.querySelector('[data-modal]') !== null) return true;
  if (!(target instanceof Element)) return false;
  const taking =
    'input:not([type=checkbox], [type=radio]), textarea, select, [role^=menu], [role=listbox], [role=combobox], [role$=dialog]';
  return target.closest(taking) !== null || (target instanceof HTMLElement && target.isContentEditable);
}

function onKeyDown(event: KeyboardEvent): void {
  const name = nameOf(event);
  if (event.defaultPrevented || event.isComposing || name === undefined) return;
  const isCombination = name.startsWith('Mod+');
  // A combination such as Ctrl K means nothing to a field; a single key does.
  if (isCombination ? document.querySelector('[data-modal]') !== null : isTaken(event.target)) return;
  if (!isCombination && !preferences().hasShortcuts) return;
  const shortcuts = currentShortcuts();
  const before = event.timeStamp - typedAt < SEQUENCE_MS ? typed : [];
  const continued = [...before, name];
  const found = match(shortcuts, continued) ?? match(shortcuts, [name]);
  typed = found === 'begun' ? (match(shortcuts, continued) === 'begun' ? continued : [name]) : [];
  typedAt = event.timeStamp;
  if (found === undefined || found === 'begun') return;
  event.preventDefault();
  found.run?.();
}

export function listenToKeys(): () => void {
  document.addEventListener('keydown', onKeyDown);
  return () => document.removeEventListener('keydown', onKeyDown);
}
