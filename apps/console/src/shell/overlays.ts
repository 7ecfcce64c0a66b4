import { createStore, useStore } from '../app/store.ts';

/** What the frame shows above the view: the command palette, or the list of shortcuts. */
type Overlay = 'palette' | 'shortcuts';

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

/** Closes the overlay that is open, if there is one. */
export const closeOverlay = () => overlay.set(undefined);

/** Which overlay is open; undefined for none. */
export function useOverlay(): Overlay | undefined {
  return useStore(overlay);
}

const isNewVersion = createStore(false);

/**
 * Offers to load the page again, because the service has a newer one. Nothing is loaded by itself: what someone is typing stays
 * as it is until they say so.
 */
export const offerNewVersion = () => isNewVersion.set(true);

/** Takes the offer back, for those who want to go on with this version for now. */
export const withdrawNewVersion = () => isNewVersion.set(false);

/** Whether there is a newer page. */
export function useIsNewVersionOffered(): boolean {
  return useStore(isNewVersion);
}
