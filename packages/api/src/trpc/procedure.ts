import type { Database } from '@roster/db';
import type { Transaction } from 'kysely';
import { withSurvivor } from '../duplicates/merges/survivor.ts';
import { invalidParameter, type RosterError } from '../errors/roster-error.ts';
import type { Scope } from '../identity/access/scopes.ts';
import { withVisibleItems } from '../identity/access/visible-items.ts';
import { authorize } from './authorization.ts';
import type { CallContext } from './context.ts';
import { type MiddlewareCall, mapErrors } from './error-mapping.ts';
import { runIdempotent } from './idempotency.ts';
import { t } from './init.ts';

/** A call whose caller is known: the builder of the procedures up to here. */
const authorized = t.procedure
  .use((call) => mapErrors(call, () => call.next({ getRawInput: inputOf(call) })))
  .use(async (call) => call.next({ ctx: await authorize(call) }))
  .use(({ ctx, next }) => withSurvivor(ctx, next));

/** The options of a middleware after these. */
type AuthorizedCall = MiddlewareCall & { ctx: CallContext };

/**
 * The start of every procedure. Before its schema and its function its errors are mapped, its caller is authorized, an error about a merged
 * record names the survivor, its response has only what the caller sees, and a POST or PATCH with an Idempotency-Key runs at most once.
 */
const guarded = authorized.use(hideItems).use(runOnce);

/** A call without an input has an empty one: what a procedure requires is told by its schema. */
function inputOf({ getRawInput }: { getRawInput: () => Promise<unknown> }): () => Promise<unknown> {
  return async () => {
    const input = await getRawInput();
    return input === undefined ? {} : input;
  };
}

/** Leaves out of a response what a caller with a limit does not see; a stream does that for each event. */
async function hideItems({ ctx: { db, limit }, type, next }: AuthorizedCall) {
  const result = await next();
  if (limit === undefined || !result.ok || type === 'subscription') return result;
  return { ...result, data: await withVisibleItems(db, result.data, limit) };
}

/**
 * Runs a POST or PATCH with an Idempotency-Key at most once, and repeats its stored response. A call that receives a file does so before
 * its transaction begins.
 */
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
    // A stored response is one of the same procedure.
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
  // The same as the result of next(), whose type has a marker that no value has.
  return { ok: true, data, ctx } as never;
}

/** Makes a change at most once, and returns its response or the stored one. */
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

/**
 * Empties this server's cache of callers after a change of one has been committed and before it is answered, so that a key
 * or secret that was ended is not accepted here again. NOTIFY, which tells the other servers, can arrive later.
 */
const invalidateKeys = t.middleware(async ({ ctx, next }) => {
  const result = await next();
  if (result.ok) ctx.request.committed('callers');
  return result;
});

/**
 * Whether a change changes the tree of offices: all do, with every import of a call and every merge, but a new office, or a patch, that names
 * no main office.
 */
function isTreeChange(input: unknown, method: string | undefined): boolean {
  if (method !== 'POST' && method !== 'PATCH') return true;
  if (typeof input !== 'object' || input === null) return false;
  if ('records' in input || 'duplicateId' in input) return true;
  return 'mainOfficeId' in input && input.mainOfficeId !== undefined;
}

/**
 * The same for the limits to offices with their branches, after a change of the tree of offices: the response to the change is not
 * sent before this server heeds it.
 */
const invalidateLimits = t.middleware(async ({ ctx, next, meta, getRawInput }) => {
  const result = await next();
  if (result.ok && isTreeChange(await getRawInput(), meta?.openapi?.method)) ctx.request.committed('offices');
  return result;
});

/**
 * The builder of procedures for callers whose key has a scope, or one of the others. All procedures of the service are built with one of
 * the builders of this file.
 */
export function procedureFor(scope: Scope, ...orScopes: Scope[]) {
  return guarded.meta({ scope, ...(orScopes.length > 0 && { orScopes }) });
}

/** The same for procedures that change or end an API key, a person or a session. */
export function keyChangeProcedureFor(scope: Scope) {
  return t.procedure.use(invalidateKeys).concat(guarded).meta({ scope });
}

/** The same for procedures that can change the tree of offices. */
export function treeProcedureFor(scope: Scope) {
  return t.procedure.use(invalidateLimits).concat(guarded).meta({ scope });
}

/** The builder of procedures for every caller, which need no scope for what belongs to the caller. */
export const everyCallerProcedure = guarded.meta({ isForEveryCaller: true });

/** The same for procedures that end sessions. */
export const everyCallerChangeProcedure = t.procedure
  .use(invalidateKeys)
  .concat(guarded)
  .meta({ isForEveryCaller: true });
