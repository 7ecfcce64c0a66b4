import { getUntypedClient } from '@trpc/client';
import type { RosterClient } from './client.ts';

/** The options of one call by name. */
export interface CallByNameOptions {
  /** Aborts the call. */
  signal?: AbortSignal;
  /** The idempotency key of the call instead of a generated one, or false for none. */
  context?: { idempotencyKey: string | false };
}

/** A call of a procedure by its name, `offices.get`. Rejects with a `RosterError` as the typed procedures do. */
type CallByName = (name: string, input?: unknown, options?: CallByNameOptions) => Promise<unknown>;

/** The procedures of a client by their names, without the types of what they take and answer. */
export interface CallsByName {
  query: CallByName;
  mutate: CallByName;
}

/** Returns the procedures of a client by their names, for programs that learn the names when they run. */
export function callsByName(client: RosterClient): CallsByName {
  const untyped = getUntypedClient(client);
  return {
    query: (name, input, options) => untyped.query(name, input, options),
    mutate: (name, input, options) => untyped.mutation(name, input, options),
  };
}
