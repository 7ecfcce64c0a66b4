import { offerReload } from './overlays.ts';

/**
 * A part of the page that could not be loaded. It says so in words of its own: for those of the browser the router would load the
 * page again, which without a network leaves nothing of it.
 */
export class PartError extends Error {
  /**
   * Whether the page has to be loaded again: the service responds, but a newer release has replaced this page, or the browser
   * remembers that a file could not be fetched a moment ago and does not ask for it again.
   */
  readonly needsReload: boolean;

  constructor(needsReload: boolean, options: ErrorOptions) {
    super('A part of the page could not be loaded.', options);
    this.needsReload = needsReload;
  }
}

/** Loads a part of the page. If only loading the page again helps, that is offered. Throws `PartError`. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (cause) {
    const needsReload = await isReachable();
    if (needsReload) offerReload();
    throw new PartError(needsReload, { cause });
  }
}

async function isReachable(): Promise<boolean> {
  try {
    const { ok } = await fetch('/console/', { cache: 'no-cache' });
    return ok;
  } catch {
    return false;
  }
}

const RELOADED = 'roster.reloaded';
/**
 * The time for which the page is not loaded again by itself, in milliseconds: if a part is missing then too, that helps nobody.
 */
const RELOAD_PAUSE_MS = 30_000;

export function mayReload(): boolean {
  return Date.now() - Number(sessionStorage.getItem(RELOADED)) > RELOAD_PAUSE_MS;
}

export function reloadPage(): void {
  sessionStorage.setItem(RELOADED, String(Date.now()));
  window.location.reload();
}
