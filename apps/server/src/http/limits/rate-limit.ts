import { RosterError } from '@roster/api';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { addressKey, callerKey } from '../identity.ts';
import type { RateLimiter, RateLimitPolicy, RateLimitResult } from './gcra.ts';

declare module 'fastify' {
  interface FastifyInstance {
    rateLimiter: RateLimiter | undefined;
  }

  interface FastifyRequest {
    /** The reply that gets the rate limit headers of the request. */
    rateReply: FastifyReply | null;
  }
}

/** A request body of up to this size is included in the cost of its request; each further one of this size costs 1. */
export const BYTES_OF_REQUEST = 64 * 1024;

/**
 * Limits the rate of every request of a scope, by its key or, without a valid key, by its address. Must be registered
 * after authentication. Requests beyond the quota are rejected with `rate_limited`. Without a limiter there is no limit.
 */
export function registerRateLimit(scope: FastifyInstance, limiter: RateLimiter | undefined): void {
  scope.decorateRequest('rateReply', null);
  scope.decorate('rateLimiter', limiter);
  if (limiter === undefined) return;
  scope.addHook('onRequest', (request, reply, done) => {
    request.rateReply = reply;
    done(limit(limiter, reply, { key: callerKey(request), cost: costOf(request, limiter.policy) }));
  });
}

/** Limits the rate of routes that need no key, by the address of the client. */
export function rateLimitByAddress(limiter: RateLimiter | undefined): onRequestHookHandler {
  return (request, reply, done) =>
    done(limiter && limit(limiter, reply, { key: addressKey(request), cost: 1 }));
}

/**
 * Charges a request for more than its basic cost, once its input shows how much work it asks for. Basic cost and `cost`
 * together are the whole quota at most. Rejects with `rate_limited`.
 */
export async function charge(request: FastifyRequest, cost: number): Promise<void> {
  const { rateReply: reply } = request;
  const { rateLimiter: limiter } = request.server;
  if (limiter === undefined || reply === null) return;
  const charged = costOf(request, limiter.policy);
  const more = Math.min(cost, limiter.policy.quota - charged);
  if (more <= 0) return;
  const rejection = limit(limiter, reply, { key: callerKey(request), cost: more, charged });
  if (rejection !== undefined) throw rejection;
}

/**
 * The cost of one request. An RPC batch costs as much as its calls would one by one; they are counted in the path as Fastify
 * decoded it for the route. A body costs 1 more for every further 64 KiB; without a Content-Length as much as the largest
 * that the route accepts. The body alone never costs more than the quota.
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

/** Counts a cost, sets the headers, and returns the error if the caller has exceeded its quota. */
function limit(
  limiter: RateLimiter,
  reply: FastifyReply,
  { key, cost, charged }: { key: string; cost: number; charged?: number },
): RosterError | undefined {
  const result = limiter.limit(key, cost, charged);
  if (!result.isAllowed) return rateLimited(limiter, reply, result);
  setRateLimitHeaders(limiter, reply, result);
  return undefined;
}

/** Sets RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers): what this server allows, and what is left of it. */
function setRateLimitHeaders(
  { share, policy: { windowMs } }: RateLimiter,
  reply: FastifyReply,
  { remaining, resetMs }: RateLimitResult,
): void {
  reply.header('ratelimit-policy', `"default";q=${share};w=${windowMs / 1_000}`);
  reply.header('ratelimit', `"default";r=${remaining};t=${Math.ceil(resetMs / 1_000)}`);
}

/** The error of a request beyond the quota; sets its headers. */
export function rateLimited(limiter: RateLimiter, reply: FastifyReply, result: RateLimitResult): RosterError {
  setRateLimitHeaders(limiter, reply, result);
  const retryAfter = Math.max(1, Math.ceil(result.retryMs / 1_000));
  const { share, policy } = limiter;
  const where = share < policy.quota ? `, the part of this server in ${policy.quota}` : '';
  return new RosterError('rate_limited', `More than ${share} requests a minute${where}.`, { retryAfter });
}
