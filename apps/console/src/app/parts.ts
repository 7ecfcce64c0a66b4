import { offerNewVersion } from '../shell/overlays.ts';

/**
 * A part of the page that could not be loaded. It says so in words of its own: for those of the browser the router would load the
 * page again, which without a network leaves nothing of it.
 */
export class PartError extends Error {
  /** Whether a newer release has replaced this page, whose parts are gone then. */
  readonly isReplaced: boolean;

  constructor(isReplaced: boolean, options: ErrorOptions) {
    super('A part of the page could not be loaded.', options);
    this.isReplaced = isReplaced;
  }
}

/** Imports a file. Browsers remember that one could not be fetched, so that it is asked for again under another address. */
export async function importFile<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const [url] = /https?:\/\/\S+\.js/.exec(String(error)) ?? [];
    if (url === undefined) throw error;
    return (await import(/* @vite-ignore */ `${url}?again=${Date.now()}`)) as Module;
  }
}

/** Loads a part of the page. If a newer release has replaced the page, it is offered. Throws `PartError`. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (cause) {
    const isReplaced = await isPageReplaced();
    if (isReplaced) offerNewVersion();
    throw new PartError(isReplaced, { cause });
  }
}

/** The file that this page began with, whose name is that of its release. */
const ownEntry = () => document.querySelector('script[type="module"]')?.getAttribute('src') ?? '';

/** Whether the service has another page than this one. */
async function isPageReplaced(): Promise<boolean> {
  try {
    const response = await fetch('/console/', { cache: 'no-cache' });
    return response.ok && !(await response.text()).includes(ownEntry());
  } catch {
    return false;
  }
}

const RELOADED = 'roster.reloaded';

/** Loads the newer page in place of this one. Once: if the part is missing there too, that helps nobody. */
export function loadNewVersion(): void {
  if (sessionStorage.getItem(RELOADED) === ownEntry()) return;
  sessionStorage.setItem(RELOADED, ownEntry());
  window.location.reload();
}
