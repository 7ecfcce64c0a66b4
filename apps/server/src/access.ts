import { RosterError, type Scope } from '@roster/api';
import { type Caller, checkScope, type KeyRing } from '@roster/api/hosting';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { createRateLimiter, type RateState } from './rate-limit.ts';

/** Who sent a request, as its Authorization header says: a caller, or why there is none. */
type Identity = { caller: Caller } | { failure: unknown };

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity | null;
  }
  interface FastifyInstance {
    keyRing: KeyRing;
  }
}

export interface AccessOptions {
  keys: KeyRing;
  /** Requests a minute for each key, and for each address that calls without a valid one; 0 for no limit. */
  rateLimit: number;
}

const WINDOW_MS = 60_000;

/** The caller of a request. Throws `unauthenticated`, or what kept the key from being looked up. */
export function identified({ identity }: FastifyRequest): Caller {
  if (identity !== null && 'caller' in identity) return identity.caller;
  throw identity?.failure ?? new RosterError('unauthenticated');
}

/** The caller of a request that goes on for long, as their key is now. Throws `unauthenticated`. */
export function identifiedAnew({ server, headers }: FastifyRequest): Promise<Caller> {
  return server.keyRing.callerOf(headers.authorization);
}

/**
 * Looks at the key of every request of a scope once, and counts the request. Whether the key may do what is asked is
 * not decided here but at the procedure, the same for every door (REST asks once more, before it reads a body); so a
 * refusal here is only ever about too much.
 */
export function registerAccess(scope: FastifyInstance, { keys, rateLimit }: AccessOptions): void {
  const policy = { quota: rateLimit, windowMs: WINDOW_MS };
  const limiter = rateLimit > 0 ? createRateLimiter(policy, () => performance.now()) : undefined;
  scope.decorateRequest('identity', null);
  scope.decorate('keyRing', keys);
  const admit = (request: FastifyRequest, reply: FastifyReply, identity: Identity): Error | undefined => {
    request.identity = identity;
    if (limiter === undefined) return undefined;
    const name = 'caller' in identity ? `key ${identity.caller.keyId}` : `address ${request.ip}`;
    const state = limiter.take(name, costOf(request));
    tell(reply, rateLimit, state);
    return state.isAllowed ? undefined : tooMany(rateLimit, state);
  };
  scope.addHook('onRequest', (request, reply, done) => {
    const { authorization } = request.headers;
    const known = keys.recall(authorization);
    if (known !== undefined) return done(admit(request, reply, { caller: known }));
    keys.callerOf(authorization).then(
      (caller) => done(admit(request, reply, { caller })),
      (failure: unknown) => done(admit(request, reply, { failure })),
    );
  });
}

/** Refuses a request whose caller lacks a scope, before its body is read. */
export function demandScope(scope: Scope): onRequestHookHandler {
  return (request, _, done) => {
    try {
      checkScope(identified(request), scope);
      done();
    } catch (error) {
      done(error as Error);
    }
  };
}

/** A batch of calls costs what the calls cost one by one; read as the route read it, whatever is percent-encoded. */
function costOf({ params }: FastifyRequest): number {
  const { path } = params as { path?: string };
  return path?.split(',').length ?? 1;
}

/** The headers of draft-ietf-httpapi-ratelimit-headers: the policy, and what is left of it. */
function tell(reply: FastifyReply, quota: number, { remaining, resetMs }: RateState): void {
  reply.header('RateLimit-Policy', `"default";q=${quota};w=${WINDOW_MS / 1_000}`);
  reply.header('RateLimit', `"default";r=${remaining};t=${Math.ceil(resetMs / 1_000)}`);
}

function tooMany(quota: number, { retryMs }: RateState): RosterError {
  const retryAfter = Math.max(1, Math.ceil(retryMs / 1_000));
  return new RosterError('rate_limited', `More than ${quota} requests a minute.`, { retryAfter });
}
