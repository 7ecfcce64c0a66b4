import { RosterError, type Scope } from '@roster/api';
import { type Authenticator, type Caller, checkScope } from '@roster/api/server';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { networkOf } from '../http/client-address.ts';
import type { RateLimiter, RateLimitPolicy, RateLimitResult } from '../rate-limit/limiter.ts';

/** Who sent a request, as its Authorization header says: a caller, or why there is none. */
export type Identity = { caller: Caller } | { failure: unknown };

export interface AccessOptions {
  keys: Authenticator;
  /** What each key, and each address that calls without a valid one, may ask; without it there is no limit. */
  limiter: RateLimiter | undefined;
}

/** The caller of a request. Throws `unauthenticated`, or what kept the key from being looked up. */
export function identified({ identity }: FastifyRequest): Caller {
  if (identity !== null && 'caller' in identity) return identity.caller;
  throw identity?.failure ?? new RosterError('unauthenticated');
}

/** The caller of a request that goes on for long, as their key is now. Throws `unauthenticated`. */
export function identifiedAnew({ server, headers }: FastifyRequest): Promise<Caller> {
  return server.authenticator.callerOf(headers.authorization);
}

/**
 * Looks at the key of every request of a scope once, and counts the request. Whether the key may do what is asked is
 * not decided here but at the procedure, the same for every door (REST asks once more, before it reads a body); so a
 * refusal here is only ever about too much.
 */
export function registerAccess(scope: FastifyInstance, { keys, limiter }: AccessOptions): void {
  scope.decorateRequest('identity', null);
  scope.decorate('authenticator', keys);
  scope.decorateRequest('rateReply', null);
  scope.decorate('rateLimiter', limiter);
  /** Look-ups of keys under way, by address. */
  const lookUps = new Map<string, number>();
  const admit: Hook = (request, reply, done) => {
    if (limiter === undefined) return done();
    request.rateReply = reply;
    const result = limiter.limit(callerName(request), costOf(request, limiter.policy));
    tell(reply, limiter.policy, result);
    done(result.isAllowed ? undefined : tooMany(reply, limiter.policy, result));
  };
  scope.addHook('onRequest', (request, reply, done) => {
    const { authorization } = request.headers;
    const goOn = (identity: Identity) => {
      request.identity = identity;
      admit(request, reply, done);
    };
    const { socket } = request.raw;
    const known = keys.cachedCaller(authorization, socket);
    if (known !== undefined) return goOn({ caller: known });
    const isBounded = limiter !== undefined && !keys.isFamiliar(authorization, socket);
    const lookUp = isBounded ? beginLookUp(lookUps, limiter, addressOf(request)) : undefined;
    if (limiter !== undefined && lookUp?.exhausted !== undefined) {
      tell(reply, limiter.policy, lookUp.exhausted);
      return done(tooMany(reply, limiter.policy, lookUp.exhausted));
    }
    void keys
      .callerOf(authorization)
      .then(
        (caller): Identity => ({ caller }),
        (failure: unknown): Identity => ({ failure }),
      )
      .then((identity) => {
        lookUp?.end();
        goOn(identity);
      });
  });
}

type Hook = (request: FastifyRequest, reply: FastifyReply, done: (refusal?: Error) => void) => void;

/**
 * Begins the look-up of a key that nobody knows, which costs a query. It may begin only while the address has as much of
 * its quota left as it has look-ups under way (`pending`), so that many at once do not pass the check together; else
 * answers what is left.
 */
function beginLookUp(
  pending: Map<string, number>,
  limiter: RateLimiter,
  address: string,
): { exhausted?: RateLimitResult; end: () => void } {
  const count = (pending.get(address) ?? 0) + 1;
  const result = limiter.peek(address, count);
  if (!result.isAllowed) return { exhausted: result, end: () => undefined };
  pending.set(address, count);
  const end = () => {
    const left = (pending.get(address) ?? 1) - 1;
    if (left === 0) pending.delete(address);
    else pending.set(address, left);
  };
  return { end };
}

/** Who the memory of this process is counted for: a key, or an address if there is no valid key. */
export function callerId(request: FastifyRequest): string {
  const { identity } = request;
  return identity && 'caller' in identity ? identity.caller.keyId : addressOf(request);
}

/** The name under which the rate limiters of all servers count a caller. */
function callerName(request: FastifyRequest): string {
  const { identity } = request;
  return identity && 'caller' in identity ? `key ${identity.caller.keyId}` : addressOf(request);
}

function addressOf({ ip }: FastifyRequest): string {
  // A connection that has ended has no address any more, whatever Fastify's type says.
  const address: string | undefined = ip;
  return `address ${networkOf(address ?? '')}`;
}

/** Counts requests for what needs no key against their address. */
export function limitByAddress(limiter: RateLimiter | undefined): onRequestHookHandler {
  return (request, reply, done) => {
    if (limiter === undefined) return done();
    const result = limiter.limit(addressOf(request), 1);
    tell(reply, limiter.policy, result);
    done(result.isAllowed ? undefined : tooMany(reply, limiter.policy, result));
  };
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

/** Bytes of a body that cost no more than the request itself; as many again cost as much as another. */
export const BYTES_OF_REQUEST = 64 * 1024;

/**
 * A batch of calls costs what the calls cost one by one; read as the route read it, whatever is percent-encoded. A large
 * body costs one more for every 64 KiB; one that does not say its length, what the largest would. A body alone never costs
 * more than the quota.
 */
function costOf({ params, headers, routeOptions }: FastifyRequest, { quota }: RateLimitPolicy): number {
  const { path } = params as { path?: string };
  const calls = path?.split(',').length ?? 1;
  const { 'content-length': length, 'transfer-encoding': coding } = headers;
  if (length === undefined && coding === undefined) return calls;
  const bytes =
    length === undefined ? routeOptions.bodyLimit : Math.min(Number(length), routeOptions.bodyLimit);
  const more = Math.max(0, Math.ceil(bytes / BYTES_OF_REQUEST) - 1);
  return Math.max(calls, Math.min(calls + more, quota));
}

/**
 * Counts more against the rate of a caller than a request, for what it turns out to ask. With what the request itself cost
 * it is the whole quota at most. Rejects with `rate_limited`.
 */
export async function charge(request: FastifyRequest, cost: number): Promise<void> {
  const { rateReply } = request;
  const { rateLimiter } = request.server;
  if (rateLimiter === undefined || rateReply === null) return;
  const { policy } = rateLimiter;
  const more = Math.min(cost, policy.quota - costOf(request, policy));
  if (more <= 0) return;
  const result = rateLimiter.limit(callerName(request), more);
  tell(rateReply, policy, result);
  if (!result.isAllowed) throw tooMany(rateReply, policy, result);
}

/** The headers of draft-ietf-httpapi-ratelimit-headers: the policy, and what is left of it as far as this server knows. */
function tell(
  reply: FastifyReply,
  { quota, windowMs }: RateLimitPolicy,
  { remaining, resetMs }: RateLimitResult,
): void {
  reply.header('RateLimit-Policy', `"default";q=${quota};w=${windowMs / 1_000}`);
  reply.header('RateLimit', `"default";r=${remaining};t=${Math.ceil(resetMs / 1_000)}`);
}

/** Rejects a request for its rate, and reads its connection more slowly if it has been rejected often. */
function tooMany(reply: FastifyReply, { quota }: RateLimitPolicy, { retryMs }: RateLimitResult): RosterError {
  reply.server.slowDown(reply);
  const retryAfter = Math.max(1, Math.ceil(retryMs / 1_000));
  return new RosterError('rate_limited', `More than ${quota} requests a minute.`, { retryAfter });
}
