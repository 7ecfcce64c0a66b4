import { hash } from 'node:crypto';
import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import { exposedHeaders, type SecurityHeaders } from './response-headers.ts';

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
