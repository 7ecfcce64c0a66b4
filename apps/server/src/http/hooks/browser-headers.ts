import { hash } from 'node:crypto';
import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import { isLoopback } from '../../config/setting-types.ts';

/** The response headers that a page of an allowed origin may read (CORS). */
const exposedHeaders = [
  'ETag',
  'Link',
  'Location',
  'Retry-After',
  'X-Request-Id',
  'Idempotency-Replayed',
  'Consistency-Token',
  'RateLimit',
  'RateLimit-Policy',
  'OData-Version',
  'Preference-Applied',
  'EntityId',
];

/** The policy of API responses: in a browser they load and run nothing. */
const apiPolicy = "default-src 'none'; frame-ancestors 'none'";

const YEAR_S = 365 * 24 * 60 * 60;

/** The headers of every response that tell a browser how to protect itself. */
export type SecurityHeaders = Readonly<Record<string, string>>;

/**
 * The headers of every response that tell a browser not to guess its type, leak its URL, run or embed it. If browsers reach the service
 * over https, also to come back over https alone (RFC 6797), and to keep windows of other origins away from its own. A loopback host is
 * left out of the first: browsers would apply it to every other program of the computer.
 */
export function securityHeadersFor(publicUrl: string | undefined): SecurityHeaders {
  const { protocol, host } = publicUrl === undefined ? { protocol: '', host: '' } : new URL(publicUrl);
  const isSecure = protocol === 'https:';
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': apiPolicy,
    'cross-origin-resource-policy': 'same-origin',
    ...(isSecure && { 'cross-origin-opener-policy': 'same-origin' }),
    ...(isSecure && !isLoopback(host) && { 'strict-transport-security': `max-age=${YEAR_S}` }),
  };
}

/** The policy of the console: it runs its own files alone, and nothing that is written into a page. */
const consolePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; " +
  "worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'";

/** The source of a policy that allows one inline script or style, by the digest of its text. */
export function hashSource(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`;
}

/** Sets the security headers on every response. A route that answers with a page gives it a policy of its own before. */
export function registerSecurityHeaders(app: FastifyInstance, headers: SecurityHeaders): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const given = reply.getHeader('content-security-policy');
    reply.headers(headers);
    if (given !== undefined) reply.header('content-security-policy', given);
    else if (request.url.startsWith('/console')) reply.header('content-security-policy', consolePolicy);
    done(null, payload);
  });
}

const PREFLIGHT_CACHE_S = 600;

/** Lets pages of these origins call the API (CORS); does nothing if there are none. */
export async function registerCors(app: FastifyInstance, origins: string[]): Promise<void> {
  if (origins.length === 0) return;
  await app.register(cors, {
    origin: origins,
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'],
    exposedHeaders,
    maxAge: PREFLIGHT_CACHE_S,
    // The plugin only adds its headers: `not-found.ts` answers every OPTIONS, from browsers and others alike.
    strictPreflight: false,
    preflightContinue: true,
  });
}
