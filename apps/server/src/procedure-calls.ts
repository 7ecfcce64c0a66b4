import { appRouter, type Context } from '@roster/api/hosting';
import type { AnyTRPCProcedure } from '@trpc/server';

/** All procedures of the service by name, such as `offices.get`. */
export const procedures: ReadonlyMap<string, AnyTRPCProcedure> = new Map(
  Object.entries(appRouter._def.procedures as unknown as Record<string, AnyTRPCProcedure>),
);

/** One call of a procedure. */
export interface Call {
  path: string;
  procedure: AnyTRPCProcedure;
  type: 'query' | 'mutation';
  input: unknown;
}

interface Calling {
  context: Context;
  /** Fires when the caller has left. */
  signal: AbortSignal;
  /** Its place in a batch. */
  batchIndex?: number;
}

/**
 * Calls a procedure as tRPC's own callers do, without the proxies they find it by. Where the context accepts it, a query
 * may answer a `RawJson`. Rejects with what the procedure refuses.
 */
export function callProcedure(
  { path, procedure, type, input }: Call,
  { context, signal, batchIndex = 0 }: Calling,
): Promise<unknown> {
  const call = procedure as unknown as (options: object) => Promise<unknown>;
  return call({ path, getRawInput: async () => input, ctx: context, type, signal, batchIndex });
}
