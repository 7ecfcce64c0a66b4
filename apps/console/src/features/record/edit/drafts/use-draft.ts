import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { useRights } from '../../../../api/caller.ts';
import type { ResourceName } from '../../../../api/contract/contracts.ts';
import { contracts } from '../../../../api/contract/contracts.ts';
import { type FormValue, fromForm, isEqual, type Json, valueIn } from '../values/form-values.ts';
import {
  adoptDraft,
  type Draft,
  type DraftOwner,
  type DraftStore,
  keepDraft,
  nameOf,
  noStore,
  readDrafts,
  removeOldDrafts,
} from './drafts.ts';
import { openTabs, randomId, tabId } from './tab.ts';

interface OpenDraft extends Draft {
  isRestored: boolean;
}

function availableStore(): DraftStore {
  try {
    return localStorage;
  } catch {
    return noStore;
  }
}

const store = availableStore();

const drafts = new Map<string, OpenDraft>();
const lookedFor = new Set<string>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function announce(): void {
  for (const listener of listeners) listener();
}

export function dirtyFields(
  resource: ResourceName,
  { base, values }: Pick<Draft, 'base' | 'values'>,
): string[] {
  return contracts[resource].fields
    .filter((field) => {
      const value = values[field.name];
      return value !== undefined && !isEqual(fromForm(field, value), valueIn(field, base));
    })
    .map(({ name }) => name);
}

function setDraft(owner: DraftOwner, draft: Draft | undefined): boolean {
  const name = nameOf(owner);
  if (draft === undefined) drafts.delete(name);
  else drafts.set(name, { ...draft, isRestored: drafts.get(name)?.isRestored === true });
  const isWorthKeeping = draft !== undefined && dirtyFields(owner.resource as ResourceName, draft).length > 0;
  const isKept = keepDraft(store, owner, { tab: tabId, draft: isWorthKeeping ? draft : undefined });
  announce();
  return isKept;
}

/** Takes over what a page that is gone has left, once for each record. */
async function lookFor(owner: DraftOwner): Promise<void> {
  const name = nameOf(owner);
  if (lookedFor.has(name)) return;
  lookedFor.add(name);
  removeOldDrafts(store);
  const open = await openTabs();
  if (drafts.has(name)) return;
  const draft = adoptDraft(store, owner, { tab: tabId, open });
  if (draft === undefined) return;
  drafts.set(name, { ...draft, isRestored: true });
  announce();
}

function useIsEditedElsewhere(owner: DraftOwner): boolean {
  const { callerId, resource, id } = owner;
  const [isEdited, setEdited] = useState(false);
  useEffect(() => {
    let isShown = true;
    const look = async () => {
      const open = await openTabs();
      const others = readDrafts(store, { callerId, resource, id }).filter(({ tab }) => tab !== tabId);
      if (isShown) setEdited(others.some(({ tab }) => open?.has(tab) === true));
    };
    const onStorage = () => void look();
    void look();
    window.addEventListener('storage', onStorage);
    return () => {
      isShown = false;
      window.removeEventListener('storage', onStorage);
    };
  }, [callerId, resource, id]);
  return isEdited;
}

export interface DraftHandle {
  base: Json;
  values: Readonly<Record<string, FormValue>>;
  dirty: string[];
  savedAt: number | undefined;
  isRestored: boolean;
  isEditedElsewhere: boolean;
  isKept: boolean;
  setValue: (name: string, value: FormValue) => void;
  rebase: (base: Json, values: Readonly<Record<string, FormValue>>) => void;
  discard: () => void;
  /** The idempotency key of an attempt to save: the same for the same body. */
  keyOf: (body: string) => string;
  current: () => Pick<Draft, 'base' | 'values'>;
}

/**
 * Keeps what is typed into the forms of a record. It is stored in the browser at every change, and restored in the next page,
 * after a sign-out, or when the service is there again.
 *
 * @param record the record as it is now; of a new one what its form begins with
 */
export function useDraft(resource: ResourceName, id: string | undefined, record: Json): DraftHandle {
  const { caller } = useRights();
  const callerId = caller.id;
  const owner: DraftOwner = { callerId, resource, id };
  const name = nameOf(owner);
  const stored = useSyncExternalStore(
    subscribe,
    useCallback(() => drafts.get(name), [name]),
  );
  const [isKept, setKept] = useState(true);
  const isEditedElsewhere = useIsEditedElsewhere(owner);
  useEffect(() => {
    void lookFor({ callerId, resource, id });
  }, [callerId, resource, id]);

  const stateOf = (draft: Draft | undefined): Pick<Draft, 'base' | 'values'> => {
    if (draft === undefined) return { base: record, values: {} };
    // Nothing differs: the form follows the record.
    const isStale = draft.base.version !== record.version && dirtyFields(resource, draft).length === 0;
    return isStale ? { base: record, values: {} } : draft;
  };
  const current = () => stateOf(drafts.get(name));
  const { base, values } = stateOf(stored);
  const dirty = dirtyFields(resource, { base, values });
  const set = (draft: Draft | undefined) => setKept(setDraft(owner, draft));
  return {
    base,
    values,
    dirty,
    savedAt: dirty.length > 0 ? stored?.savedAt : undefined,
    isRestored: stored?.isRestored === true,
    isEditedElsewhere,
    isKept,
    current,
    setValue: (field, value) => {
      const now = current();
      set({ base: now.base, values: { ...now.values, [field]: value }, savedAt: Date.now() });
    },
    rebase: (next, nextValues) => {
      const isEmpty = Object.keys(nextValues).length === 0;
      set(isEmpty ? undefined : { base: next, values: nextValues, savedAt: Date.now() });
    },
    discard: () => set(undefined),
    keyOf: (body) => {
      const draft = drafts.get(name);
      if (draft?.attempt?.body === body) return draft.attempt.key;
      const key = randomId();
      if (draft !== undefined) set({ ...draft, attempt: { key, body } });
      return key;
    },
  };
}
