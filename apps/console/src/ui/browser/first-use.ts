import { useEffect, useState } from 'react';

/** After this long in milliseconds a page that nobody has touched counts as used: its service may be away later. */
const UNTOUCHED_MS = 10_000;

/** Fulfilled when somebody uses the page: what can only be opened by then is loaded. */
const firstUse = new Promise<void>((resolve) => {
  for (const type of ['pointermove', 'pointerdown', 'keydown', 'focusin', 'wheel'])
    window.addEventListener(type, () => resolve(), { once: true, passive: true, capture: true });
  setTimeout(resolve, UNTOUCHED_MS);
});

export function useIsUsed(): boolean {
  const [isUsed, setUsed] = useState(false);
  useEffect(() => void firstUse.then(() => setUsed(true)), []);
  return isUsed;
}
