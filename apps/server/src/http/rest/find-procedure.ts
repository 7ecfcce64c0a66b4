import type { ServiceRouter } from '@roster/api/server';
import { type AnyTRPCProcedure, initTRPC } from '@trpc/server';
import { createProcedureCache, type OpenApiMeta } from 'trpc-to-openapi';

/** The procedure of a method and a path, and the parameters in that path; undefined if there is none. */
export type FindProcedure = ReturnType<typeof createProcedureCache>;

const t = initTRPC.meta<OpenApiMeta>().create();

/**
 * Returns how trpc-to-openapi finds each procedure, by its name. Each has a router of its own: in a router of all, the path
 * `/agents/duplicates` would be that of `GET /agents/{id}`.
 */
export function procedureFinders({ _def }: ServiceRouter): ReadonlyMap<string, FindProcedure> {
  const procedures = Object.entries<AnyTRPCProcedure>(Object(_def.procedures));
  return new Map(
    procedures.map(([name, procedure]) => [name, createProcedureCache(t.router({ [name]: procedure }))]),
  );
}
