import { describe, expect, it } from 'vitest';
import { adoptDraft, type Draft, keepDraft, noStore, readDrafts, removeOldDrafts } from './drafts.ts';

class MemoryStore extends Map<string, string> {
  isFull = false;
  get length() {
    return this.size;
  }
  key = (index: number) => [...this.keys()][index] ?? null;
  getItem = (key: string) => this.get(key) ?? null;
  setItem = (key: string, value: string) => {
    if (this.isFull) throw new DOMException('full', 'QuotaExceededError');
    this.set(key, value);
  };
  removeItem = (key: string) => void this.delete(key);
}

const owner = { callerId: 'ana', resource: 'agents', id: '1' };
const draft = (phone: string, savedAt = 1): Draft => ({ base: {}, values: { phone }, savedAt });

describe('a draft', () => {
  it('belongs to one person, one record and one page', () => {
    const store = new MemoryStore();
    keepDraft(store, owner, { tab: 'a', draft: draft('1') });
    keepDraft(store, owner, { tab: 'b', draft: draft('2', 2) });
    keepDraft(store, { ...owner, id: '12' }, { tab: 'a', draft: draft('3') });
    keepDraft(store, { ...owner, callerId: 'rui' }, { tab: 'a', draft: draft('4') });
    expect(readDrafts(store, owner).map(({ tab, draft: { values } }) => [tab, values.phone])).toEqual([
      ['b', '2'],
      ['a', '1'],
    ]);
  });

  it('is taken over from a page that is gone', () => {
    const store = new MemoryStore();
    keepDraft(store, owner, { tab: 'gone', draft: draft('1') });
    expect(adoptDraft(store, owner, { tab: 'new', open: new Set(['new']) })).toEqual(draft('1'));
    expect(readDrafts(store, owner).map(({ tab }) => tab)).toEqual(['new']);
  });

  it('is left to another page that is open', () => {
    const store = new MemoryStore();
    keepDraft(store, owner, { tab: 'open', draft: draft('1') });
    expect(adoptDraft(store, owner, { tab: 'new', open: new Set(['open', 'new']) })).toBeUndefined();
    expect(readDrafts(store, owner)).toHaveLength(1);
  });

  it('is copied if nobody knows whether its page is open', () => {
    const store = new MemoryStore();
    keepDraft(store, owner, { tab: 'other', draft: draft('1') });
    expect(adoptDraft(store, owner, { tab: 'new', open: undefined })).toEqual(draft('1'));
    expect(
      readDrafts(store, owner)
        .map(({ tab }) => tab)
        .toSorted(),
    ).toEqual(['new', 'other']);
  });

  it('is not lost when a full browser cannot move it', () => {
    const store = new MemoryStore();
    keepDraft(store, owner, { tab: 'gone', draft: draft('1') });
    store.isFull = true;
    expect(keepDraft(store, owner, { tab: 'new', draft: draft('2') })).toBe(false);
    adoptDraft(store, owner, { tab: 'new', open: new Set(['new']) });
    expect(readDrafts(store, owner).map(({ tab }) => tab)).toEqual(['gone']);
  });

  it('is known not to be kept where the browser keeps nothing', () => {
    expect(keepDraft(noStore, owner, { tab: 'a', draft: draft('1') })).toBe(false);
    expect(adoptDraft(noStore, owner, { tab: 'a', open: undefined })).toBeUndefined();
  });

  it('is removed after three months, and if it cannot be read', () => {
    const store = new MemoryStore();
    const day = 86_400_000;
    keepDraft(store, owner, { tab: 'old', draft: draft('1', 9 * day) });
    keepDraft(store, owner, { tab: 'new', draft: draft('2', 11 * day) });
    store.set('roster.draft.ana.agents.1.broken', '{');
    store.set('another', 'x');
    removeOldDrafts(store, 100 * day);
    expect([...store.keys()]).toEqual(['roster.draft.ana.agents.1.new', 'another']);
  });
});
