import type { FastifyInstance } from 'fastify';

/** The policy of API responses: in a browser they load and run nothing. */
const apiPolicy = "default-src 'none'; frame-ancestors 'none'";
/** The policy of the documentation: it may run its own scripts and styles. */
const docsPolicy =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";
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

/** Sets the security headers on every response. */
export function registerSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.headers(securityHeaders);
    if (request.url.startsWith('/docs')) reply.header('content-security-policy', docsPolicy);
    else if (request.url.startsWith('/console')) reply.header('content-security-policy', consolePolicy);
    done(null, payload);
  });
}
