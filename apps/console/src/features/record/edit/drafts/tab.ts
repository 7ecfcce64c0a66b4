const PREFIX = 'roster.tab.';

/** 128 random bits. Pages that were not loaded over https have no `crypto.randomUUID`. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

export const tabId: string = randomId();

/** Undefined in a page that was not loaded over https: there the browser has no locks. */
const locks: LockManager | undefined = navigator.locks;

// The browser releases it when the page goes away, however that happens.
void locks?.request(PREFIX + tabId, () => new Promise<never>(() => {}));

/** The pages of this browser that are open; undefined if the browser does not say. */
export async function openTabs(): Promise<ReadonlySet<string> | undefined> {
  if (locks === undefined) return undefined;
  const { held = [] } = await locks.query();
  const names = held.map(({ name = '' }) => name).filter((name) => name.startsWith(PREFIX));
  return new Set([tabId, ...names.map((name) => name.slice(PREFIX.length))]);
}
