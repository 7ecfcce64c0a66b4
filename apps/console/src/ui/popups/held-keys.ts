import { useEffect } from 'react';

/** The keys that were pressed before the editor, the menu or the dialog they are for had the focus. */
interface Held {
  text: string;
  isSaved: boolean;
}

/** The longest time that keys are held for what is being loaded, in milliseconds. */
const HOLD_MAX_MS = 10_000;

interface HoldOptions {
  /** Called if the editor is no longer wanted: by Escape, by a press elsewhere, or because it took too long. */
  onGiveUp: (isLate: boolean) => void;
}

export interface HeldKeys {
  giveTo: (control: HTMLElement) => void;
  end: () => void;
}

/** Adds a key to what is held: text, or what ends or takes back text. Any other key does nothing meanwhile. */
export function withKey(held: Held, { key, repeat }: Pick<KeyboardEvent, 'key' | 'repeat'>): Held {
  if (held.isSaved) return held;
  if ([...key].length === 1) return { ...held, text: held.text + key };
  if (key === 'Backspace') return { ...held, text: [...held.text].slice(0, -1).join('') };
  // The key that opened the editor may be pressed still.
  return key === 'Enter' && !repeat ? { ...held, isSaved: true } : held;
}

/**
 * Holds the keys that are pressed until the editor that is about to open has the focus: no shortcut and no cell gets them. Combinations
 * such as Ctrl R stay with the browser.
 */
export function holdKeys({ onGiveUp }: HoldOptions): HeldKeys {
  let held: Held = { text: '', isSaved: false };
  const controller = new AbortController();
  const { signal } = controller;
  const giveUp = (isLate: boolean) => {
    controller.abort();
    onGiveUp(isLate);
  };
  const timer = setTimeout(() => giveUp(true), HOLD_MAX_MS);
  signal.addEventListener('abort', () => clearTimeout(timer));
  const options = { capture: true, signal };
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (event.key === 'Escape') giveUp(false);
      else held = withKey(held, event);
    },
    options,
  );
  window.addEventListener('pointerdown', () => giveUp(false), options);
  return {
    giveTo: (control) => {
      if (signal.aborted) return;
      controller.abort();
      // As if it was typed now: the browser tells the control so, and can undo it. A control without text does nothing.
      if (held.text !== '') document.execCommand('insertText', false, held.text);
      if (held.isSaved) control.closest('form')?.requestSubmit();
    },
    end: () => controller.abort(),
  };
}

/** In the place of a dialog until it is loaded: holds the keys that are pressed meanwhile, which are no shortcuts. */
export function Opening() {
  useEffect(() => holdKeys({ onGiveUp: () => {} }).end, []);
  return null;
}
