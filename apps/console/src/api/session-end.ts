import { useSyncExternalStore } from 'react';

/**
 * Whether the session has ended under an open page. The page stays as it is, with all that was typed, and offers to sign in
 * again.
 */
let isSignedOut = false;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(value: boolean): void {
  if (value === isSignedOut) return;
  isSignedOut = value;
  for (const listener of listeners) listener();
}

/** Called if a call is answered with `unauthenticated`. */
export const markSignedOut = () => set(true);

/** Called if a call succeeds again. */
export const markSignedIn = () => set(false);

export function useIsSignedOut(): boolean {
  return useSyncExternalStore(subscribe, () => isSignedOut);
}
