import type { Database } from '@roster/db';
import type { Transaction } from 'kysely';
import type { Scope } from '../access/scopes.ts';
import { withVisibleItems } from '../access/visible-items.ts';
import { invalidParameter, type RosterError } from '../errors/roster-error.ts';
import { authorize } from './authorization.ts';
import type { CallContext } from './context.ts';
import { type MiddlewareCall, mappedError } from './error-mapping.ts';
import { type IdempotentResponse, runIdempotent } from './idempotency.ts';
import { t } from './init.ts';
import type { ShownIn } from './replay-authorization.ts';

/** The parts that a feature adds to all its procedures. */
interface Guards {
  /** Which records a stored response shows. Without it, a response is not repeated if access is restricted. */
  shownIn?: ShownIn;
  /** Returns an error that says more about one of the call, or the same. */
  explain?: (ctx: CallContext, error: unknown) => Promise<unknown>;
}

/**
 * Every procedure starts here, before its schema: errors are mapped, the caller is authorised, hidden items are
 * removed from the response, and a POST or PATCH with an Idempotency-Key runs at most once. After a change the
 * host is told. All of it is one middleware, because each costs several promises and copies of its options.
 */
function guardedBy({ shownIn, explain }: Guards) {
  return t.procedure.use<CallContext>(async (given) => {
    const { type, path, meta } = given;
    const getRawInput = inputOf(given);
    let ctx: CallContext | undefined;
    try {
      const { caller, limit } = await authorize(given, getRawInput);
      const known = { ...given.ctx, caller, limit };
      ctx = known;
      const next: GuardedCall['next'] = (more) => {
        const options = { ctx: more === undefined ? known : { ...known, ...more }, getRawInput };
        return given.next(options);
      };
      const result = await hideItems({ ctx, type, path, meta, getRawInput, next, shownIn });
      if (!result.ok) throw result.error;
      if (type === 'mutation') await tellHost(given);
      return result;
    } catch (thrown) {
      const explained = ctx && explain?.(ctx, thrown);
      // If the explanation fails, that is the error.
      const error = explained ? await explained.catch((failure: unknown) => failure) : thrown;
      throw await mappedError(given, error);
    }
  });
}

interface GuardedCall extends Pick<MiddlewareCall, 'type' | 'path' | 'meta' | 'getRawInput'> {
  ctx: CallContext;
  shownIn: ShownIn | undefined;
  next: (more?: Partial<CallContext>) => ReturnType<MiddlewareCall['next']>;
}

/** Undefined becomes an empty input: the schema tells what is required. */
function inputOf({ getRawInput }: Pick<MiddlewareCall, 'getRawInput'>): () => Promise<unknown> {
  return async () => {
    const input = await getRawInput();
    return input === undefined ? {} : input;
  };
}

/** Runs the call, and removes from its response what limited access does not show. */
function hideItems(call: GuardedCall) {
  const { limit, db } = call.ctx;
  if (limit === undefined || call.type === 'subscription') return runOnce(call);
  return runOnce(call).then(async (result) =>
    result.ok ? { ...result, data: await withVisibleItems(db, result.data, limit) } : result,
  );
}

/** A file upload does so before its transaction begins. */
function runOnce(call: GuardedCall) {
  const { ctx, type, meta, next } = call;
  const key = ctx.request.idempotencyKey();
  if (key === undefined || type !== 'mutation') return next();
  if (meta?.isSecret === true) throw secretNotStored();
  const method = meta?.openapi?.method;
  if (method !== 'POST' && method !== 'PATCH') return next();
  if (meta?.fileTypes === undefined) return replayOrRun(call, key);
  const once: CallContext['once'] = async (fileHash, change) =>
    (await replayOrChange(call, { key, fileHash }, change)).data;
  return next({ once });
}

async function replayOrRun(call: GuardedCall, key: string) {
  const { ctx, next } = call;
  const { data, replayed } = await replayOrChange(call, { key }, async (trx) => {
    const result = await next({ db: trx });
    if (!result.ok) throw result.error;
    return result.data;
  });
  const isSentAsStored = ctx.limit === undefined && ctx.request.acceptsRawJson;
  // The type of a result has a marker that no value has, so that a middleware returns that of `next()`. A replayed response has none.
  return { ok: true, data: (isSentAsStored && replayed) || data, ctx } as never;
}

async function replayOrChange<Data>(
  { ctx: { caller, limit, db, request, now }, path, getRawInput, shownIn }: GuardedCall,
  { key, fileHash }: { key: string; fileHash?: Buffer },
  change: (trx: Transaction<Database>) => Promise<Data>,
): Promise<IdempotentResponse<Data>> {
  const input = await getRawInput();
  const call = { actorId: caller.id, limit, shownIn, operation: path, key, input, fileHash, now: now() };
  const response = await runIdempotent(db, call, change);
  request.responseMeta.isReplayed = response.replayed !== undefined;
  return response;
}

function secretNotStored(): RosterError {
  const detail = 'is not accepted here: the response has a secret, which is not stored';
  return invalidParameter('Idempotency-Key', 'not_allowed', detail);
}

/** Not for a new office or a patch without a main office. */
function isTreeChange(input: unknown, method: string | undefined): boolean {
  if (method !== 'POST' && method !== 'PATCH') return true;
  if (typeof input !== 'object' || input === null) return false;
  if ('records' in input || 'duplicateId' in input) return true;
  return 'mainOfficeId' in input && input.mainOfficeId !== undefined;
}

/** Before the response: an ended key is not accepted afterwards, and limits follow the new tree of offices. Other servers learn by NOTIFY. */
async function tellHost({ ctx: { request }, meta, getRawInput }: MiddlewareCall): Promise<void> {
  request.committed('events');
  if (meta?.changes === 'callers') request.committed('callers');
  if (meta?.changes === 'officeTree' && isTreeChange(await getRawInput(), meta.openapi?.method))
    request.committed('offices');
}

/** Every procedure starts with a builder of this function. */
export function proceduresOf(guards: Guards = {}) {
  const guarded = guardedBy(guards);
  /** Needs no scope, for what belongs to the caller. */
  const everyCallerProcedure = guarded.meta({ isForEveryCaller: true });
  return {
    procedureFor: (scope: Scope, ...orScopes: Scope[]) =>
      guarded.meta({ scope, ...(orScopes.length > 0 && { orScopes }) }),
    keyChangeProcedureFor: (scope: Scope) => guarded.meta({ scope, changes: 'callers' }),
    treeProcedureFor: (scope: Scope) => guarded.meta({ scope, changes: 'officeTree' }),
    everyCallerProcedure,
    everyCallerChangeProcedure: everyCallerProcedure.meta({ changes: 'callers' }),
  };
}

/** For features that add nothing. */
export const { procedureFor, everyCallerProcedure, everyCallerChangeProcedure } = proceduresOf();
