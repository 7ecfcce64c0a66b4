import type { Database } from '@roster/db';
import type { Transaction } from 'kysely';
import type { Scope } from '../access/scopes.ts';
import { withVisibleItems } from '../access/visible-items.ts';
import { invalidParameter, type RosterError } from '../errors/roster-error.ts';
import { withSurvivor } from '../records/survivor.ts';
import { authorize } from './authorization.ts';
import type { CallContext } from './context.ts';
import { type MiddlewareCall, mapErrors } from './error-mapping.ts';
import { runIdempotent } from './idempotency.ts';
import { t } from './init.ts';

const authorized = t.procedure
  .use((call) => mapErrors(call, () => call.next({ getRawInput: inputOf(call) })))
  .use(async (call) => call.next({ ctx: await authorize(call) }))
  .use(({ ctx, next }) => withSurvivor(ctx, next));

type AuthorizedCall = MiddlewareCall & { ctx: CallContext };

/**
 * Every procedure starts here, before its schema: errors are mapped, the caller is authorised, errors about
 * merged records get their survivor, hidden items are removed from the response, and a POST or PATCH with an
 * Idempotency-Key runs at most once.
 */
const guarded = authorized.use(hideItems).use(runOnce);

/** Undefined becomes an empty input: the schema tells what is required. */
function inputOf({ getRawInput }: { getRawInput: () => Promise<unknown> }): () => Promise<unknown> {
  return async () => {
    const input = await getRawInput();
    return input === undefined ? {} : input;
  };
}

async function hideItems({ ctx: { db, limit }, type, next }: AuthorizedCall) {
  const result = await next();
  if (limit === undefined || !result.ok || type === 'subscription') return result;
  return { ...result, data: await withVisibleItems(db, result.data, limit) };
}

/** A file upload does so before its transaction begins. */
function runOnce(call: AuthorizedCall) {
  const { ctx, type, meta, next } = call;
  const key = ctx.request.idempotencyKey();
  if (key === undefined || type !== 'mutation') return next();
  if (meta?.isSecret === true) throw secretNotStored();
  const method = meta?.openapi?.method;
  if (method !== 'POST' && method !== 'PATCH') return next();
  if (meta?.fileTypes === undefined) return replayOrRun(call, key);
  const once: CallContext['once'] = async (fileHash, change) => {
    const data = await replayOrChange(call, { key, fileHash }, change);
    // The stored response is of the same procedure.
    return data as Awaited<ReturnType<typeof change>>;
  };
  return next({ ctx: { once } });
}

async function replayOrRun(call: AuthorizedCall, key: string) {
  const { ctx, next } = call;
  const data = await replayOrChange(call, { key }, async (trx) => {
    const result = await next({ ctx: { db: trx } });
    if (!result.ok) throw result.error;
    return result.data;
  });
  // As the result of next(), whose type has a marker that no value has.
  return { ok: true, data, ctx } as never;
}

async function replayOrChange(
  { ctx: { caller, limit, db, request, now }, path, getRawInput }: AuthorizedCall,
  { key, fileHash }: { key: string; fileHash?: Buffer },
  change: (trx: Transaction<Database>) => Promise<unknown>,
): Promise<unknown> {
  const input = await getRawInput();
  const call = { actorId: caller.id, limit, operation: path, key, input, fileHash, now: now() };
  const { data, isReplayed } = await runIdempotent(db, call, change);
  request.responseMeta.isReplayed = isReplayed;
  return data;
}

function secretNotStored(): RosterError {
  const detail = 'is not accepted here: the response has a secret, which is not stored';
  return invalidParameter('Idempotency-Key', 'not_allowed', detail);
}

/** Before the response, so that an ended key is not accepted here again. Other servers learn by NOTIFY. */
const invalidateKeys = t.middleware(async ({ ctx, next }) => {
  const result = await next();
  if (result.ok) ctx.request.committed('callers');
  return result;
});

/** Not for a new office or a patch without a main office. */
function isTreeChange(input: unknown, method: string | undefined): boolean {
  if (method !== 'POST' && method !== 'PATCH') return true;
  if (typeof input !== 'object' || input === null) return false;
  if ('records' in input || 'duplicateId' in input) return true;
  return 'mainOfficeId' in input && input.mainOfficeId !== undefined;
}

/** The response is sent when this server applies the new tree of offices to limits. */
const invalidateLimits = t.middleware(async ({ ctx, next, meta, getRawInput }) => {
  const result = await next();
  if (result.ok && isTreeChange(await getRawInput(), meta?.openapi?.method)) ctx.request.committed('offices');
  return result;
});

/** Every procedure starts with a builder of this file. */
export function procedureFor(scope: Scope, ...orScopes: Scope[]) {
  return guarded.meta({ scope, ...(orScopes.length > 0 && { orScopes }) });
}

export function keyChangeProcedureFor(scope: Scope) {
  return t.procedure.use(invalidateKeys).concat(guarded).meta({ scope });
}

export function treeProcedureFor(scope: Scope) {
  return t.procedure.use(invalidateLimits).concat(guarded).meta({ scope });
}

/** Needs no scope, for what belongs to the caller. */
export const everyCallerProcedure = guarded.meta({ isForEveryCaller: true });

export const everyCallerChangeProcedure = t.procedure
  .use(invalidateKeys)
  .concat(guarded)
  .meta({ isForEveryCaller: true });
