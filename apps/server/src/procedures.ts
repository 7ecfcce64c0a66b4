import { operations, streams } from '@roster/api';
import type { Context, ServiceRouter } from '@roster/api/server';
import { callTRPCProcedure } from '@trpc/server';

type ProcedureType = 'query' | 'mutation' | 'subscription';

const types = new Map<string, ProcedureType>([
  ...operations.map(({ procedure, type }) => [procedure, type] as const),
  ...streams.map(({ procedure }) => [procedure, 'subscription'] as const),
]);

/** The type of the procedure with this name, such as `offices.get`; undefined if there is none. */
export function procedureType(name: string): ProcedureType | undefined {
  return types.get(name);
}

/** Whether there is a procedure with this name. A name that is none may hold anything a caller sent. */
export function isProcedure(name: string): boolean {
  return types.has(name);
}

/** Whether the response of the procedure with this name has no end. */
export function isStream(name: string): boolean {
  return types.get(name) === 'subscription';
}

/** One call of a procedure. */
export interface ProcedureCall {
  /** The name of the procedure, such as `offices.get`. */
  path: string;
  type: ProcedureType;
  /** The input before its schema has checked it. */
  input: unknown;
}

/** The context of a request, with the router of the server that it came to. */
export interface ServerContext extends Context {
  router: ServiceRouter;
}

interface CallOptions {
  context: ServerContext;
  /** Aborts when the client disconnects. */
  signal?: AbortSignal;
  /** The index of the call in its batch; 0 unless given. */
  batchIndex?: number;
}

/**
 * Calls a procedure of the service, with its middlewares and its schemas. Resolves to its output: of a query, if the
 * context accepts it, possibly a `RawJson`; of a subscription an async iterable. Rejects with a `RosterError`.
 */
export function callProcedure(
  { path, type, input }: ProcedureCall,
  { context, signal, batchIndex = 0 }: CallOptions,
): Promise<unknown> {
  const getRawInput = async () => input;
  const { router } = context;
  return callTRPCProcedure({ router, path, type, getRawInput, ctx: context, signal, batchIndex });
}
