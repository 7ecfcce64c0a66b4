import compress from '@fastify/compress';
import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import { bodyCodings } from './media-types.ts';

export interface MannersOptions {
  /** Origins whose pages may call; none where it is empty. */
  corsOrigins: string[];
}

const COMPRESS_FROM_BYTES = 1_024;

/** What a page that was loaded from here may do: nothing; the documentation may run its own script and style. */
const nothing = "default-src 'none'; frame-ancestors 'none'";
const ownPage =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

/** Compression, CORS where it is allowed, and the headers that keep a browser from doing what nobody asked for. */
export async function registerManners(app: FastifyInstance, { corsOrigins }: MannersOptions): Promise<void> {
  await app.register(compress, {
    threshold: COMPRESS_FROM_BYTES,
    encodings: ['br', 'gzip', 'deflate'],
    requestEncodings: bodyCodings,
  });
  if (corsOrigins.length > 0) {
    await app.register(cors, {
      origin: corsOrigins,
      methods: ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'],
      exposedHeaders: [
        'ETag',
        'Link',
        'Location',
        'Retry-After',
        'X-Request-Id',
        'Idempotency-Replayed',
        'Consistency-Token',
        'RateLimit',
        'RateLimit-Policy',
      ],
      maxAge: 600,
      // It only adds its headers: OPTIONS is answered in one place, whether a browser asks or not (routes.ts).
      strictPreflight: false,
      preflightContinue: true,
    });
  }
  app.addHook('onSend', (request, reply, payload, done) => {
    const isPage = request.url.startsWith('/docs');
    reply.header('X-Content-Type-Options', 'nosniff');
    reply.header('Referrer-Policy', 'no-referrer');
    reply.header('Content-Security-Policy', isPage ? ownPage : nothing);
    reply.header('Cross-Origin-Resource-Policy', 'same-origin');
    if (request.identity !== undefined) appendVary(reply, 'Authorization');
    done(null, payload);
  });
}

/** Adds a field to those by which an answer varies. */
export function appendVary(
  reply: { getHeader(name: string): unknown; header(name: string, value: string): unknown },
  field: string,
): void {
  const before = reply.getHeader('Vary');
  reply.header('Vary', before === undefined ? field : `${before}, ${field}`);
}
