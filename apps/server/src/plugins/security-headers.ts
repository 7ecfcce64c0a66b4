import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/** The policy of API responses: in a browser they load and run nothing. */
const apiPolicy = "default-src 'none'; frame-ancestors 'none'";
/** The policy of the console: it runs its own files alone, and nothing that is written into a page. */
const consolePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; " +
  "worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'";

/** The headers of every response that tell a browser not to guess its type, leak its URL, run or embed it. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': apiPolicy,
  'cross-origin-resource-policy': 'same-origin',
};

/** The source of a policy that allows one inline script or style, by the digest of its text. */
export function hashSource(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`;
}

/** Sets the security headers on every response. A route that answers with a page gives it a policy of its own before. */
export function registerSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const given = reply.getHeader('content-security-policy');
    reply.headers(securityHeaders);
    if (given !== undefined) reply.header('content-security-policy', given);
    else if (request.url.startsWith('/console')) reply.header('content-security-policy', consolePolicy);
    done(null, payload);
  });
}
