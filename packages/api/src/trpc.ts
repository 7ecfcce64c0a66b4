import { initTRPC } from '@trpc/server';
import type { TRPC_ERROR_CODE_KEY, TRPC_ERROR_CODE_NUMBER } from '@trpc/server/rpc';
import type { OpenApiMeta } from 'trpc-to-openapi';
import type { Context } from './context.ts';
import type { Problem, Reason } from './errors.ts';
import { type InputPlaces, refusalOf } from './refusals.ts';

/** What a procedure says of itself; the REST mapping and the OpenAPI document are made of it. */
export interface Meta extends Record<string, unknown> {
  openapi?: OpenApiMeta['openapi'];
  /** The status of success where it is not 200. */
  status?: 201 | 204;
  /** The reasons for which this operation may refuse, beside those every operation shares. */
  refusals?: Reason[];
}

/** What an error looks like in RPC: tRPC's own code and message, and the problem that REST sends as its body. */
export interface ErrorShape {
  message: string;
  code: TRPC_ERROR_CODE_NUMBER;
  data: { code: TRPC_ERROR_CODE_KEY; httpStatus: number; path?: string; problem: Problem };
}

/** 1. The instance: the context of a request, the meta of a procedure, the shape of an error. */
const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    isDev: false,
    errorFormatter: ({ shape, error, path, ctx }): ErrorShape => {
      const refusal = refusalOf(error, noParameters);
      const problem = refusal.problem({
        instance: ctx?.instance ?? `/trpc/${path ?? ''}`,
        requestId: ctx?.requestId ?? 'unknown',
      });
      return {
        message: refusal.message,
        code: shape.code,
        data: {
          code: refusal.code,
          httpStatus: refusal.status,
          ...(path !== undefined && { path }),
          problem,
        },
      };
    },
  });

/** Outside a procedure there are no parameters to tell from a body. */
const noParameters: InputPlaces = { isParameter: () => false };

/** Which names of an input travel in the path or the query: all of them where there is no body. */
export function placesOf(openapi: Meta['openapi']): InputPlaces {
  const { method = 'GET', path = '/' } = openapi ?? {};
  if (method === 'GET' || method === 'DELETE') return { isParameter: () => true };
  return { isParameter: (name) => path.includes(`{${name}}`) };
}

/** 2. Whatever a procedure throws becomes a refusal with a reason, the same on every door. */
const refusals = t.middleware(async ({ next, meta }) => {
  const result = await next();
  if (result.ok) return result;
  throw refusalOf(result.error, placesOf(meta?.openapi));
});

/** 3. What routers are made of. */
export const router = t.router;
export const procedure = t.procedure.use(refusals);
