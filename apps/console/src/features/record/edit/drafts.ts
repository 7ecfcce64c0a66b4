import { useRights } from '../../../api/caller.ts';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { createStore, useStore } from '../../../api/store.ts';
import { inTab, keep, readKept } from '../../../ui/browser/storage.ts';
import type { FormValue } from './form-values.ts';

/** A value that was typed into a field, and the one of the record that it changes. */
interface DraftField {
  base: FormValue;
  value: FormValue;
}

export type DraftFields = Readonly<Record<string, DraftField>>;

interface Draft {
  fields: DraftFields;
  /** When it was last changed, in milliseconds since 1970. */
  savedAt: number;
  /** The last attempt to create a record: the same body again has the same idempotency key. */
  attempt?: { key: string; body: string };
}

const KEY = 'roster.drafts';

/** The drafts of this tab, by person and record. They survive a reload, a sign-out and an outage. */
const drafts = createStore<Readonly<Record<string, Draft>>>(readKept(KEY, inTab) ?? {});
const isKept = createStore(true);

/** 128 random bits. Pages that were not loaded over https have no `crypto.randomUUID`. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export interface DraftHandle {
  fields: DraftFields;
  savedAt: number | undefined;
  /** Whether the browser had space for it. */
  isKept: boolean;
  current: () => DraftFields;
  setFields: (fields: DraftFields) => void;
  idempotencyKey: (body: string) => string;
}

/** The draft of a record, or of a new one, which all its forms share. */
export function useDraft(resource: ResourceName, id = 'new'): DraftHandle {
  const { caller } = useRights();
  const key = `${caller.id}.${resource}.${id}`;
  const draft = useStore(drafts)[key];
  const set = (next: Draft) => {
    const { [key]: _, ...others } = drafts.get();
    drafts.set(Object.keys(next.fields).length === 0 ? others : { ...others, [key]: next });
    isKept.set(keep(KEY, drafts.get(), inTab));
  };
  return {
    fields: draft?.fields ?? {},
    savedAt: draft?.savedAt,
    isKept: useStore(isKept),
    current: () => drafts.get()[key]?.fields ?? {},
    setFields: (fields) => set({ ...drafts.get()[key], fields, savedAt: Date.now() }),
    idempotencyKey: (body) => {
      const now = drafts.get()[key];
      if (now?.attempt?.body === body) return now.attempt.key;
      const attempt = { key: randomId(), body };
      if (now !== undefined) set({ ...now, attempt });
      return attempt.key;
    },
  };
}
