type ReadWrite = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The storage that keeps its values until someone deletes them, or as long as the tab is open. A function, as a browser may block it. */
type Where = () => ReadWrite;

const inBrowser: Where = () => localStorage;
export const inTab: Where = () => sessionStorage;

/** Reads what is kept under a key; undefined if nothing is, the storage is blocked, or it is no JSON. */
export function readKept<Value>(key: string, where: Where = inBrowser): Value | undefined {
  try {
    const text = where().getItem(key);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Keeps a value under a key; undefined forgets it. Returns whether the browser did: without storage or space the page goes on with
 * what it has in memory.
 */
export function keep(key: string, value: unknown, where: Where = inBrowser): boolean {
  try {
    if (value === undefined) where().removeItem(key);
    else where().setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Under which the records that were open in this browser are kept. */
export const RECENT_KEY = 'roster.recent';
