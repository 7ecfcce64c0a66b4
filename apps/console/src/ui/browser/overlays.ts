import type { ReactElement } from 'react';
import { createStore, useStore } from '../../api/store.ts';

type Overlay = 'palette' | 'shortcuts' | ReactElement;

/**
 * The overlay that is open. Its code is loaded after the first view, so that it does not delay that; there is one at most, and
 * each closes itself by Escape.
 */
const overlay = createStore<Overlay | undefined>(undefined);

export const openPalette = () => overlay.set('palette');

export const openShortcuts = () => overlay.set('shortcuts');

/** Opens a dialog that stays when the view changes, such as one that a notice offers. It closes by `closeOverlay`. */
export const openDialog = (dialog: ReactElement) => overlay.set(dialog);

export const closeOverlay = () => overlay.set(undefined);

export function useOverlay(): Overlay | undefined {
  return useStore(overlay);
}

const isReload = createStore(false);

/**
 * Offers to load the page again, because a part of it is not there any more. Nothing is loaded by itself: what someone is typing
 * stays as it is until they say so.
 */
export const offerReload = () => isReload.set(true);

export const withdrawReload = () => isReload.set(false);

export function useIsReloadOffered(): boolean {
  return useStore(isReload);
}
