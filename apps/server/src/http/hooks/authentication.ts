import type { IncomingHttpHeaders } from 'node:http';
import { RosterError } from '@roster/api';
import { type Authenticator, type Caller, limitFor, type NeededRight } from '@roster/api/server';
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { cookieNamesOf, cookieOf } from '../cookies.ts';
import { addressKey, callerOf, type Identity } from '../identity.ts';
import type { RateLimiter } from '../limits/gcra.ts';
import { rateLimited } from '../limits/rate-limit.ts';
import { Share } from '../limits/share.ts';
import { isSentByForms } from '../media-types.ts';
import { isForeign, isSameOrigin, ownOriginOf } from '../own-origin.ts';

declare module 'fastify' {
  interface FastifyInstance {
    authenticator: Authenticator;
  }
}

const NOT_BY_API_KEY = 'X-Api-Key is not read. Send the key as "Authorization: Bearer <key>".';

export interface AuthenticationOptions {
  keys: Authenticator;
  /** Bounds the look-ups of unknown keys by an address: each costs a query. */
  limiter: RateLimiter | undefined;
  publicUrl?: string | undefined;
}

/**
 * Authenticates every request once, by its Authorization header or its session cookie. Without a valid one the procedure rejects it,
 * the same for REST and RPC; this hook returns only `rate_limited`.
 */
export function registerAuthentication(
  scope: FastifyInstance,
  { keys, limiter, publicUrl }: AuthenticationOptions,
): void {
  scope.decorateRequest('identity', null);
  scope.decorateRequest('sessionCredential', undefined);
  scope.decorate('authenticator', keys);
  const lookUps = new Share();
  scope.addHook('onRequest', (request, reply, done) => {
    const { headers, raw } = request;
    let { authorization } = headers;
    if (authorization === undefined && headers.cookie !== undefined) {
      const sent = sessionIn(request, publicUrl);
      if (sent instanceof RosterError) {
        request.identity = { failure: sent };
        return done();
      }
      authorization = sent;
      request.sessionCredential = sent;
    }
    if (authorization === undefined && headers['x-api-key'] !== undefined) {
      request.identity = { failure: new RosterError('unauthenticated', NOT_BY_API_KEY) };
      return done();
    }
    const { socket } = raw;
    const cached = keys.cachedCaller(authorization, socket);
    if (cached !== undefined) {
      request.identity = { caller: cached };
      return done();
    }
    const address = addressKey(request);
    const isBounded = limiter !== undefined && !keys.isFamiliar(authorization, socket);
    if (isBounded) {
      // Including those in progress, so that many requests at one moment cannot pass the check together.
      const result = limiter.peek(address, lookUps.heldBy(address) + 1);
      if (!result.isAllowed) return done(rateLimited(limiter, reply, result));
      lookUps.take(address);
    }
    void keys
      .callerOf(authorization)
      .then(
        (caller): Identity => ({ caller }),
        (failure: unknown): Identity => ({ failure }),
      )
      .then((identity) => {
        if (isBounded) lookUps.release(address);
        request.identity = identity;
        done();
      });
  });
}

/** Returns an error if another origin may have made the request (CSRF): the browser added the cookie, not its user. */
function sessionIn(
  { headers, method }: FastifyRequest,
  publicUrl: string | undefined,
): string | RosterError | undefined {
  const origin = ownOriginOf(headers, publicUrl);
  const session = claimedSession(headers, publicUrl);
  if (origin === undefined || session === undefined) return undefined;
  if (isForeign(headers, origin)) return new RosterError('unauthenticated', FOREIGN);
  const isSafe = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  if (!isSafe && !isSameOrigin(headers, origin)) return new RosterError('unauthenticated', UNPROVEN);
  // For any other type a browser asks first (CORS).
  if (method === 'POST' && isSentByForms(headers)) return new RosterError('unauthenticated', FORM);
  return session;
}

/** The session cookie, even if another origin sent it. Use it only to divide limits between callers. */
export function claimedSession(
  headers: IncomingHttpHeaders,
  publicUrl: string | undefined,
): string | undefined {
  if (headers.cookie === undefined) return undefined;
  const origin = ownOriginOf(headers, publicUrl);
  const token = origin && cookieOf(headers, cookieNamesOf(origin).session);
  return token ? `Bearer ${token}` : undefined;
}

const FOREIGN = 'The cookie of a session is not accepted from a page of another origin.';
const UNPROVEN =
  'With the cookie of a session, a change needs Sec-Fetch-Site: same-origin, or the Origin of this service.';
const FORM =
  'With the cookie of a session, a POST needs a Content-Type that no form has, such as application/json.';

/** For long requests: checks the key or session again. Rejects with `unauthenticated`. */
export function reauthenticate({ server, headers, sessionCredential }: FastifyRequest): Promise<Caller> {
  return server.authenticator.callerOf(headers.authorization ?? sessionCredential);
}

export function credentialOf({ headers, sessionCredential }: FastifyRequest): string {
  return (headers.authorization ?? sessionCredential ?? '').replace(/^bearer +/i, '').trim();
}

export const requireCaller: onRequestHookHandler = (request, _, done) => {
  done(errorOf(() => callerOf(request)));
};

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
