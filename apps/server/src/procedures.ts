import { operations, streams } from '@roster/api';
import type { Context, ServiceRouter } from '@roster/api/server';
import { callTRPCProcedure } from '@trpc/server';

type ProcedureType = 'query' | 'mutation' | 'subscription';

const types = new Map<string, ProcedureType>([
  ...operations.map(({ procedure, type }) => [procedure, type] as const),
  ...streams.map(({ procedure }) => [procedure, 'subscription'] as const),
]);

export function procedureType(name: string): ProcedureType | undefined {
  return types.get(name);
}

/** Other names may hold anything a client sent. */
export function isProcedure(name: string): boolean {
  return types.has(name);
}

export function isStream(name: string): boolean {
  return types.get(name) === 'subscription';
}

export interface ProcedureCall {
  path: string;
  type: ProcedureType;
  input: unknown;
}

/** The context of a request, with the router of the server that it came to. */
export interface ServerContext extends Context {
  router: ServiceRouter;
}

interface CallOptions {
  context: ServerContext;
  signal?: AbortSignal;
  batchIndex?: number;
}

/** Returns a `RawJson` if the context accepts it, or an async iterable for a subscription. Rejects with a `RosterError`. */
export function callProcedure<Output = unknown>(
  { path, type, input }: ProcedureCall,
  { context, signal, batchIndex = 0 }: CallOptions,
): Promise<Output> {
  const getRawInput = async () => input;
  const { router } = context;
  return callTRPCProcedure({ router, path, type, getRawInput, ctx: context, signal, batchIndex });
}
