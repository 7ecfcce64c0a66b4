import { RosterError } from '@roster/api';
import { type Authenticator, type Caller, limitFor, type NeededRight } from '@roster/api/server';
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { KeyedCounter } from '../http/keyed-counter.ts';
import type { RateLimiter } from '../rate-limit/limiter.ts';
import { addressKey, rateLimited } from './rate-limit.ts';

/** Who sent a request, by its Authorization header: a caller, or the error why there is none. */
export type Identity = { caller: Caller } | { failure: unknown };

export interface AuthenticationOptions {
  keys: Authenticator;
  /** Bounds how often an address may have unknown keys looked up, each of which costs a query; unbounded without it. */
  limiter: RateLimiter | undefined;
}

/**
 * Authenticates every request of a scope by its API key, once. A request without a valid key is not rejected here but by
 * the procedure it calls, the same for REST and RPC (`requireRight` checks earlier, before a body is read); so that the
 * only error returned here is `rate_limited`.
 */
export function registerAuthentication(
  scope: FastifyInstance,
  { keys, limiter }: AuthenticationOptions,
): void {
  scope.decorateRequest('identity', null);
  scope.decorate('authenticator', keys);
  /** Look-ups of unknown keys that are under way, by address. */
  const lookUps = new KeyedCounter();
  scope.addHook('onRequest', (request, reply, done) => {
    const { authorization } = request.headers;
    const { socket } = request.raw;
    const cached = keys.cachedCaller(authorization, socket);
    if (cached !== undefined) {
      request.identity = { caller: cached };
      return done();
    }
    const address = addressKey(request);
    const isBounded = limiter !== undefined && !keys.isFamiliar(authorization, socket);
    if (isBounded) {
      // Those under way are counted too, so that many requests at the same moment cannot pass the check together.
      const result = limiter.peek(address, lookUps.get(address) + 1);
      if (!result.isAllowed) return done(rateLimited({ limiter, reply }, result));
      lookUps.add(address);
    }
    void keys
      .callerOf(authorization)
      .then(
        (caller): Identity => ({ caller }),
        (failure: unknown): Identity => ({ failure }),
      )
      .then((identity) => {
        if (isBounded) lookUps.subtract(address);
        request.identity = identity;
        done();
      });
  });
}

/** The caller of a request. Throws `unauthenticated`, or the error that prevented the look-up of its key. */
export function callerOf({ identity }: FastifyRequest): Caller {
  if (identity !== null && 'caller' in identity) return identity.caller;
  throw identity?.failure ?? new RosterError('unauthenticated');
}

/** The caller of a long request, by the current state of its key. Rejects with `unauthenticated`. */
export function reauthenticate({ server, headers }: FastifyRequest): Promise<Caller> {
  return server.authenticator.callerOf(headers.authorization);
}

/** Rejects a request without a valid key, before its body is read. */
export const requireCaller: onRequestHookHandler = (request, _, done) => {
  done(errorOf(() => callerOf(request)));
};

/** Rejects a request whose caller lacks a right, before its body is read. */
export function requireRight(right: NeededRight): onRequestHookHandler {
  return (request, _, done) => done(errorOf(() => limitFor(callerOf(request), right)));
}

function errorOf(check: () => unknown): Error | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
