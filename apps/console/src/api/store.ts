import { useSyncExternalStore } from 'react';

/** A value outside of React that components follow, such as the preferences of the browser. */
export interface Store<Value> {
  get(): Value;
  /** Replaces the value; the same value again changes nothing. */
  set(value: Value): void;
}

interface Followed<Value> extends Store<Value> {
  subscribe(listener: () => void): () => void;
}

export function createStore<Value>(first: Value): Store<Value> {
  const listeners = new Set<() => void>();
  let value = first;
  const store: Followed<Value> = {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return store;
}

export function useStore<Value>(store: Store<Value>): Value {
  const { subscribe, get } = store as Followed<Value>;
  return useSyncExternalStore(subscribe, get);
}
