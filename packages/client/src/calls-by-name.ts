import { getUntypedClient } from '@trpc/client';
import type { RosterClient } from './client.ts';

export interface CallByNameOptions {
  signal?: AbortSignal;
  /** A key instead of a generated one, or false for none. */
  context?: { idempotencyKey: string | false };
}

/** The name is such as `offices.get`, and the output what the caller knows of it. Rejects with a `RosterError`. */
type CallByName = <Output = unknown>(
  name: string,
  input?: unknown,
  options?: CallByNameOptions,
) => Promise<Output>;

/** Procedures by name, untyped. */
export interface CallsByName {
  query: CallByName;
  mutate: CallByName;
}

/** For programs that learn the names when they run. */
export function callsByName(client: RosterClient): CallsByName {
  const untyped = getUntypedClient(client);
  return {
    query: <Output>(name: string, input?: unknown, options?: CallByNameOptions) =>
      untyped.query(name, input, options) as Promise<Output>,
    mutate: <Output>(name: string, input?: unknown, options?: CallByNameOptions) =>
      untyped.mutation(name, input, options) as Promise<Output>,
  };
}
