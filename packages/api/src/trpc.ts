import { initTRPC } from '@trpc/server';
import type { Context } from './context.ts';
import type { ErrorShape } from './errors.ts';
import type { Meta } from './meta.ts';
import { type InputPlaces, refusalOf } from './refusals.ts';

/** 1. The instance: the context of a request, the meta of a procedure, the shape of an error. */
const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    isDev: false,
    errorFormatter: ({ shape, error, path, ctx }): ErrorShape => {
      const refusal = refusalOf(error);
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

/** Which names of an input travel in the path or the query: all of them where there is no body. */
export function placesOf(openapi: Meta['openapi']): InputPlaces {
  const { method = 'GET', path = '/' } = openapi ?? {};
  if (method === 'GET' || method === 'DELETE') return { isParameter: () => true };
  return { isParameter: (name) => path.includes(`{${name}}`) };
}

/** 2. Whatever a procedure throws becomes a refusal with a reason, the same on every door. */
const refusals = t.middleware(async ({ next, meta, getRawInput }) => {
  const result = await next();
  if (result.ok) return result;
  throw refusalOf(result.error, { ...placesOf(meta?.openapi), input: await getRawInput() });
});

/** 3. What routers are made of. */
export const router = t.router;
export const procedure = t.procedure.use(refusals);
