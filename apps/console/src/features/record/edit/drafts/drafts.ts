import type { FormValue, Json } from '../values/form-values.ts';

export interface Draft {
  /** The record that the changes are about, as it was read; of a new one what its form began with. */
  base: Json;
  values: Readonly<Record<string, FormValue>>;
  /** When it was last changed, in milliseconds since 1970. */
  savedAt: number;
  /** The last attempt to save: the same body again has the same idempotency key. */
  attempt?: { key: string; body: string } | undefined;
}

export interface DraftOwner {
  callerId: string;
  resource: string;
  /** Undefined of a record that is to be created. */
  id: string | undefined;
}

export interface StoredDraft {
  tab: string;
  draft: Draft;
}

export type DraftStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** The store of a browser that keeps nothing for this page: drafts live as long as the page, and forms say so. */
export const noStore: DraftStore = {
  length: 0,
  key: () => null,
  getItem: () => null,
  removeItem: () => undefined,
  setItem: () => {
    throw new DOMException('This browser keeps nothing for this page', 'QuotaExceededError');
  },
};

const PREFIX = 'roster.draft.';
const AGE_MAX_MS = 90 * 86_400_000;

export const nameOf = ({ callerId, resource, id = 'new' }: DraftOwner) => `${callerId}.${resource}.${id}`;

const prefixOf = (owner: DraftOwner) => `${PREFIX}${nameOf(owner)}.`;

function parsed(text: string | null): Draft | undefined {
  try {
    const draft = JSON.parse(text ?? '') as Draft;
    return typeof draft.savedAt === 'number' && typeof draft.values === 'object' ? draft : undefined;
  } catch {
    return undefined;
  }
}

function keysOf(store: DraftStore, prefix: string): string[] {
  const keys = Array.from({ length: store.length }, (_, index) => store.key(index) ?? '');
  return keys.filter((key) => key.startsWith(prefix));
}

/** The drafts of a record that any page of this browser keeps, newest first. Each page has its own, so that none is overwritten. */
export function readDrafts(store: DraftStore, owner: DraftOwner): StoredDraft[] {
  const prefix = prefixOf(owner);
  return keysOf(store, prefix)
    .flatMap((key) => {
      const draft = parsed(store.getItem(key));
      return draft === undefined ? [] : [{ tab: key.slice(prefix.length), draft }];
    })
    .toSorted((a, b) => b.draft.savedAt - a.draft.savedAt);
}

/** Keeps the draft of a page, or removes it. Returns whether the browser kept it. */
export function keepDraft(
  store: DraftStore,
  owner: DraftOwner,
  { tab, draft }: { tab: string; draft: Draft | undefined },
): boolean {
  const key = prefixOf(owner) + tab;
  try {
    if (draft === undefined) store.removeItem(key);
    else store.setItem(key, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/**
 * Takes over the newest draft whose page is gone: it was loaded again, closed, or crashed. If it is not known which pages are
 * open, the draft is copied, so that a page that is still there keeps its own.
 */
export function adoptDraft(
  store: DraftStore,
  owner: DraftOwner,
  { tab, open }: { tab: string; open: ReadonlySet<string> | undefined },
): Draft | undefined {
  const found = readDrafts(store, owner).find((one) => one.tab === tab || open?.has(one.tab) !== true);
  if (found === undefined || found.tab === tab) return found?.draft;
  const isKept = keepDraft(store, owner, { tab, draft: found.draft });
  if (open !== undefined && isKept) keepDraft(store, owner, { tab: found.tab, draft: undefined });
  return found.draft;
}

export function removeOldDrafts(store: DraftStore, now = Date.now()): void {
  for (const key of keysOf(store, PREFIX)) {
    const draft = parsed(store.getItem(key));
    if (draft === undefined || now - draft.savedAt > AGE_MAX_MS) store.removeItem(key);
  }
}
