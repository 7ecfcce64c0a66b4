import { initTRPC } from '@trpc/server';
import { z } from 'zod';
import { checkScope } from '../api-keys/authenticator.ts';
import { readsRecords, type Scope } from '../api-keys/scopes.ts';
import { type ErrorShape, RosterError } from '../errors/roster-error.ts';
import { type InputPlaces, toRosterError } from '../errors/to-roster-error.ts';
import type { Context } from './context.ts';
import { runIdempotent } from './idempotency.ts';
import { refuseExcess, refuseExcessBeside } from './input-limits.ts';
import type { Meta } from './meta.ts';

/** 1. The instance: the context of a request, the meta of a procedure, the shape of an error. */
const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    isDev: false,
    // Its default is application/json, which an answer of several lines is not.
    jsonl: { contentType: 'application/jsonl' },
    // As at /events/stream: a sign of life, and what a client takes for a dead connection without one.
    sse: { ping: { enabled: true, intervalMs: 15_000 }, client: { reconnectAfterInactivityMs: 45_000 } },
    errorFormatter: ({ shape, error, path, ctx }): ErrorShape => {
      const refusal = toRosterError(error);
      const problem = refusal.problem({
        instance: ctx?.request.path ?? `/trpc/${path ?? ''}`,
        requestId: ctx?.request.id ?? 'unknown',
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
function placesOf(openapi: Meta['openapi']): InputPlaces {
  const { method = 'GET', path = '/' } = openapi ?? {};
  if (method === 'GET' || method === 'DELETE') return { isParameter: () => true };
  return { isParameter: (name) => path.includes(`{${name}}`) };
}

/** Records that are written for the price of one request. */
export const RECORDS_OF_REQUEST = 50;

/** What an import costs beside the request itself. */
function costOfRecords(input: unknown): number {
  const { records = undefined } =
    typeof input === 'object' && input !== null ? (input as { records?: unknown }) : {};
  return Array.isArray(records) ? Math.max(0, Math.ceil(records.length / RECORDS_OF_REQUEST) - 1) : 0;
}

type Call = Parameters<Parameters<typeof t.middleware>[0]>[0];

/**
 * 2. Whatever a procedure throws becomes a refusal with a reason, the same on every door; and when it has changed
 * something, whoever looks after the log of changes hears of it.
 */
async function runAndMapErrors({ ctx, next, type, meta, getRawInput }: Call) {
  const result = await next();
  if (result.ok && type === 'mutation') ctx.services.notifier.onCommit();
  if (result.ok) return result;
  // Only an input that was read can break its schema; to read one that was not would refuse for its form instead.
  const input = result.error.cause instanceof z.ZodError ? await getRawInput() : undefined;
  throw toRosterError(result.error, { ...placesOf(meta?.openapi), input });
}

const mapErrors = t.middleware((call) => {
  const { ctx, path, type } = call;
  const { instrument } = ctx.services;
  return instrument === undefined
    ? runAndMapErrors(call)
    : instrument({ procedure: path, type }, () => runAndMapErrors(call));
});

/**
 * 3. Every procedure names the scope it needs; a call without it goes no further. Where there are replicas, queries about
 * records may be answered by one.
 */
const authorized = t.middleware(async ({ ctx, next, meta, path, type, getRawInput }) => {
  const caller = await ctx.request.authenticate();
  const { scope } = meta ?? {};
  if (scope === undefined) throw new Error(`${path} names no scope`);
  checkScope(caller, scope);
  const { request, services } = ctx;
  const { readRouter } = services;
  if (type === 'query' && readsRecords(scope)) {
    const freshness = request.freshness();
    const db = readRouter?.route(request.responseMeta, { db: ctx.db, caller, freshness }) ?? ctx.db;
    return next({ ctx: { caller, db } });
  }
  // Before anything walks through it; records of an import are looked at one by one.
  if (type === 'mutation') {
    const input = await getRawInput();
    if (meta?.isPartial) {
      await refuseExcessBeside('records', input);
      await request.charge(costOfRecords(input));
    } else await refuseExcess(input);
  }
  const result = await next({ ctx: { caller } });
  if (readRouter === undefined || type === 'subscription') return result;
  if (type === 'query') {
    await readRouter.afterRead(request.responseMeta);
    return result;
  }
  await readRouter.afterWrite(request.responseMeta, { caller, ...(!result.ok && { failure: result.error }) });
  return result;
});

/** 4. A change that carries an Idempotency-Key happens once. */
const idempotent = authorized.unstable_pipe(async ({ ctx, next, type, path, meta, getRawInput }) => {
  const { caller } = ctx;
  const key = ctx.request.idempotencyKey();
  if (key === undefined || type !== 'mutation') return next();
  if (meta?.isSecret === true) throw secretAnswer();
  const method = meta?.openapi?.method;
  if (method !== 'POST' && method !== 'PATCH') return next();
  const now = ctx.services.now();
  const request = { actorId: caller.keyId, operation: path, key, input: await getRawInput(), now };
  const { data, isReplayed } = await runIdempotent(ctx.db, request, async (trx) => {
    const result = await next({ ctx: { db: trx } });
    if (!result.ok) throw result.error;
    return result.data;
  });
  ctx.request.responseMeta.isReplayed = isReplayed;
  // What next() would have answered; tRPC marks its own results by a type that exists in no value.
  return { ok: true, data, ctx } as never;
});

function secretAnswer(): RosterError {
  const detail = 'is not taken here: the answer holds a secret, and a secret is not kept';
  const errors = [{ parameter: 'Idempotency-Key', code: 'not_allowed', detail }];
  return new RosterError('invalid_parameter', `Idempotency-Key ${detail}.`, { errors });
}

/** 5. What routers are made of: procedures for callers whose key has a scope. */
export const router = t.router;
export function procedureFor(scope: Scope) {
  return t.procedure.meta({ scope }).use(mapErrors).use(idempotent);
}
