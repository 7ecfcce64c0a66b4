import type { ReactElement } from 'react';
import { createStore, useStore } from './store.ts';

/** An overlay of the frame above the view: the command palette, the list of shortcuts, or a dialog that no view owns. */
type Overlay = 'palette' | 'shortcuts' | ReactElement;

/**
 * The overlay that is open. Its code is loaded after the first view, so that it does not delay that; there is one at most, and
 * each closes itself by Escape.
 */
const overlay = createStore<Overlay | undefined>(undefined);

/** Opens the command palette, in which one finds views, records and actions. */
export const openPalette = () => overlay.set('palette');

/**
 * Opens the list of all shortcuts of the view that is shown. It is taken when the list opens.
 */
export const openShortcuts = () => overlay.set('shortcuts');

/** Opens a dialog that stays when the view changes, such as one that a notice offers. It closes by `closeOverlay`. */
export const openDialog = (dialog: ReactElement) => overlay.set(dialog);

/** Closes the overlay that is open, if there is one. */
export const closeOverlay = () => overlay.set(undefined);

/** Which overlay is open; undefined for none. */
export function useOverlay(): Overlay | undefined {
  return useStore(overlay);
}

const isReload = createStore(false);

/**
 * Offers to load the page again, because a part of it is not there any more. Nothing is loaded by itself: what someone is typing
 * stays as it is until they say so.
 */
export const offerReload = () => isReload.set(true);

/** Takes the offer back, for those who want to go on with the page as it is for now. */
export const withdrawReload = () => isReload.set(false);

/** Whether the page should be loaded again. */
export function useIsReloadOffered(): boolean {
  return useStore(isReload);
}
