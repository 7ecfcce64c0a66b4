import { RosterError, type Scope } from '@roster/api';
import { type Caller, checkScope, type KeyRing } from '@roster/api/hosting';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { networkOf } from './client-address.ts';
import type { RateLimits } from './rate-exchange.ts';
import type { RatePolicy, RateState } from './rate-limit.ts';

/** Who sent a request, as its Authorization header says: a caller, or why there is none. */
export type Identity = { caller: Caller } | { failure: unknown };

export interface AccessOptions {
  keys: KeyRing;
  /** What each key, and each address that calls without a valid one, may ask; without it there is no limit. */
  limits: RateLimits | undefined;
}

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
export function registerAccess(scope: FastifyInstance, { keys, limits }: AccessOptions): void {
  scope.decorateRequest('identity', null);
  scope.decorate('keyRing', keys);
  scope.decorateRequest('rateReply', null);
  scope.decorate('rateLimits', limits);
  /** Look-ups of keys under way, by address. */
  const lookUps = new Map<string, number>();
  const admit: Hook = (request, reply, done) => {
    if (limits === undefined) return done();
    request.rateReply = reply;
    limits.take(callerName(request), costOf(request, limits.policy), (state) => {
      tell(reply, limits.policy, state);
      done(state.isAllowed ? undefined : tooMany(reply, limits.policy, state));
    });
  };
  scope.addHook('onRequest', (request, reply, done) => {
    const { authorization } = request.headers;
    const goOn = (identity: Identity) => {
      request.identity = identity;
      admit(request, reply, done);
    };
    const { socket } = request.raw;
    const known = keys.recall(authorization, socket);
    if (known !== undefined) return goOn({ caller: known });
    const isBounded = limits !== undefined && !keys.isFamiliar(authorization, socket);
    const lookUp = isBounded ? beginLookUp(lookUps, limits, addressOf(request)) : undefined;
    if (limits !== undefined && lookUp?.exhausted !== undefined) {
      tell(reply, limits.policy, lookUp.exhausted);
      return done(tooMany(reply, limits.policy, lookUp.exhausted));
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
  limits: RateLimits,
  address: string,
): { exhausted?: RateState; end: () => void } {
  const count = (pending.get(address) ?? 0) + 1;
  const state = limits.peek(address, count);
  if (!state.isAllowed) return { exhausted: state, end: () => undefined };
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
export function limitByAddress(limits: RateLimits | undefined): onRequestHookHandler {
  return (request, reply, done) => {
    if (limits === undefined) return done();
    limits.take(addressOf(request), 1, (state) => {
      tell(reply, limits.policy, state);
      done(state.isAllowed ? undefined : tooMany(reply, limits.policy, state));
    });
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
const BYTES_OF_REQUEST = 64 * 1024;

/**
 * A batch of calls costs what the calls cost one by one; read as the route read it, whatever is percent-encoded. A large
 * body costs one more for every 64 KiB; one that does not say its length, what the largest would. A body alone never costs
 * more than the quota.
 */
function costOf({ params, headers, routeOptions }: FastifyRequest, { quota }: RatePolicy): number {
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
  const { rateLimits } = request.server;
  if (rateLimits === undefined || rateReply === null) return;
  const { policy } = rateLimits;
  const more = Math.min(cost, policy.quota - costOf(request, policy));
  if (more <= 0) return;
  const state = await new Promise<RateState>((decide) => rateLimits.take(callerName(request), more, decide));
  tell(rateReply, policy, state);
  if (!state.isAllowed) throw tooMany(rateReply, policy, state);
}

/** The headers of draft-ietf-httpapi-ratelimit-headers: the policy, and what is left of it as far as this server knows. */
function tell(reply: FastifyReply, { quota, windowMs }: RatePolicy, { remaining, resetMs }: RateState): void {
  reply.header('RateLimit-Policy', `"default";q=${quota};w=${windowMs / 1_000}`);
  reply.header('RateLimit', `"default";r=${remaining};t=${Math.ceil(resetMs / 1_000)}`);
}

/** Rejects a request for its rate, and reads its connection more slowly if it has been rejected often. */
function tooMany(reply: FastifyReply, { quota }: RatePolicy, { retryMs }: RateState): RosterError {
  reply.server.slowDown(reply);
  const retryAfter = Math.max(1, Math.ceil(retryMs / 1_000));
  return new RosterError('rate_limited', `More than ${quota} requests a minute.`, { retryAfter });
}
