import { RosterError } from '@roster/api';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { addressKey, callerKey } from '../identity.ts';
import type { RateLimiter, RateLimitPolicy, RateLimitResult } from './gcra.ts';

declare module 'fastify' {
  interface FastifyInstance {
    rateLimiter: RateLimiter | undefined;
  }

  interface FastifyRequest {
    rateReply: FastifyReply | null;
  }
}

/** Each further 64 KiB of a body costs 1. */
export const BYTES_OF_REQUEST = 64 * 1024;

/** Limits requests by key, or by address without a valid one. Must be registered after authentication. */
export function registerRateLimit(scope: FastifyInstance, limiter: RateLimiter | undefined): void {
  scope.decorateRequest('rateReply', null);
  scope.decorate('rateLimiter', limiter);
  if (limiter === undefined) return;
  scope.addHook('onRequest', (request, reply, done) => {
    request.rateReply = reply;
    done(limit(limiter, reply, { key: callerKey(request), cost: costOf(request, limiter.policy) }));
  });
}

export function rateLimitByAddress(limiter: RateLimiter | undefined): onRequestHookHandler {
  return (request, reply, done) =>
    done(limiter && limit(limiter, reply, { key: addressKey(request), cost: 1 }));
}

/** Charges for input that asks for much work, up to the whole quota. Rejects with `rate_limited`. */
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
 * An RPC batch costs as much as its calls, and a body without a Content-Length as the largest that the route accepts. The body alone
 * never costs more than the quota.
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

/** RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers). */
function setRateLimitHeaders(
  { share, policy: { windowMs } }: RateLimiter,
  reply: FastifyReply,
  { remaining, resetMs }: RateLimitResult,
): void {
  reply.header('ratelimit-policy', `"default";q=${share};w=${windowMs / 1_000}`);
  reply.header('ratelimit', `"default";r=${remaining};t=${Math.ceil(resetMs / 1_000)}`);
}

export function rateLimited(limiter: RateLimiter, reply: FastifyReply, result: RateLimitResult): RosterError {
  setRateLimitHeaders(limiter, reply, result);
  const retryAfter = Math.max(1, Math.ceil(result.retryMs / 1_000));
  const { share, policy } = limiter;
  const where = share < policy.quota ? `, the part of this server in ${policy.quota}` : '';
  return new RosterError('rate_limited', `More than ${share} requests a minute${where}.`, { retryAfter });
}
