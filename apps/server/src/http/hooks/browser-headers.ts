import { hash } from 'node:crypto';
import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import { isLoopback } from '../../config/setting-types.ts';

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

const apiPolicy = "default-src 'none'; frame-ancestors 'none'";

const YEAR_S = 365 * 24 * 60 * 60;

export type SecurityHeaders = Readonly<Record<string, string>>;

/** HSTS (RFC 6797) is left out for a loopback host: browsers would apply it to every other program of the computer. */
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

export function hashSource(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`;
}

/** The console runs its own files alone, and nothing that is written into a page but the styles of its frame. */
export function consolePolicyOf(page: string): string {
  const styles = Array.from(page.matchAll(/<style>(.*?)<\/style>/gs), ([, style = '']) => hashSource(style));
  return (
    `default-src 'none'; script-src 'self'; style-src ${["'self'", ...styles].join(' ')}; ` +
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; " +
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'"
  );
}

const consolePolicy = consolePolicyOf('');

/** A page sets its own policy before. */
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

export async function registerCors(app: FastifyInstance, origins: string[]): Promise<void> {
  if (origins.length === 0) return;
  await app.register(cors, {
    origin: origins,
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'],
    exposedHeaders,
    maxAge: PREFLIGHT_CACHE_S,
    // The plugin only adds headers: `not-found.ts` responds to every OPTIONS.
    strictPreflight: false,
    preflightContinue: true,
  });
}
