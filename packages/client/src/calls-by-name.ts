import { getUntypedClient } from '@trpc/client';
import type { RosterClient } from './client.ts';

export interface CallByNameOptions {
  signal?: AbortSignal;
  /** A key instead of a generated one, or false for none. */
  context?: { idempotencyKey: string | false };
}

/** The name is such as `offices.get`. Rejects with a `RosterError`. */
type CallByName = (name: string, input?: unknown, options?: CallByNameOptions) => Promise<unknown>;

/** Procedures by name, untyped. */
export interface CallsByName {
  query: CallByName;
  mutate: CallByName;
}

/** For programs that learn the names when they run. */
export function callsByName(client: RosterClient): CallsByName {
  const untyped = getUntypedClient(client);
  return {
    query: (name, input, options) => untyped.query(name, input, options),
    mutate: (name, input, options) => untyped.mutation(name, input, options),
  };
}
