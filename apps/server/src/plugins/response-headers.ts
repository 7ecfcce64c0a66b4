import compress from '@fastify/compress';
import cors from '@fastify/cors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { codedTag } from '../http/etag.ts';
import { bodyCodings } from '../http/media-types.ts';

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

/** What keeps a browser from doing what nobody asked for with an answer that is no page. */
export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': nothing,
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** The headers that a page of an allowed origin may read (CORS). */
export const exposedHeaders = [
  'ETag',
  'Link',
  'Location',
  'Retry-After',
  'X-Request-Id',
  'Idempotency-Replayed',
  'Consistency-Token',
  'RateLimit',
  'RateLimit-Policy',
];

/** Compression, CORS where it is allowed, and the headers that keep a browser from doing what nobody asked for. */
export async function registerManners(app: FastifyInstance, { corsOrigins }: MannersOptions): Promise<void> {
  await app.register(compress, {
    threshold: COMPRESS_FROM_BYTES,
    encodings: ['br', 'gzip', 'deflate'],
    requestEncodings: bodyCodings,
  });
  orderEndOfAnswers(app);
  if (corsOrigins.length > 0) {
    await app.register(cors, {
      origin: corsOrigins,
      methods: ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'],
      exposedHeaders,
      maxAge: 600,
      // It only adds its headers: OPTIONS is answered in one place, whether a browser asks or not (routes.ts).
      strictPreflight: false,
      preflightContinue: true,
    });
  }
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.headers(securityHeaders);
    if (request.url.startsWith('/docs')) reply.header('Content-Security-Policy', ownPage);
    // The same on every answer of a resource, compressed or not, and on its 304 (RFC 9110, sections 12.5.5 and 15.4.5).
    const fields = request.identity === undefined ? 'accept-encoding' : 'accept-encoding, Authorization';
    const before = reply.getHeader('Vary');
    if (before === undefined) reply.header('Vary', fields);
    else if (before !== fields) reply.header('Vary', `${before}, ${fields}`);
    done(null, payload);
  });
}

type OnSend = (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done) => void;
type Done = (error: Error | null, payload: unknown) => void;

/** A compressed answer has a tag of its own: other bytes, another strong tag (RFC 9110, section 8.8.3.3). */
const tagCoding: OnSend = (_, reply, payload, done) => {
  const tag = reply.getHeader('ETag');
  const coding = reply.getHeader('Content-Encoding');
  if (typeof tag === 'string' && typeof coding === 'string') reply.header('ETag', codedTag(tag, coding));
  done(null, payload);
};

/**
 * Orders what is done with an answer last, on each route that is compressed: first compression, then the tag, and for HEAD
 * only then Fastify's taking of the length, so that HEAD has the headers of GET (section 9.3.2).
 */
function orderEndOfAnswers(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { onSend, method } = route;
    // A route that is not compressed has no list.
    if (!Array.isArray(onSend)) return;
    const [first, ...others] = onSend;
    route.onSend =
      method === 'HEAD' && first !== undefined ? [...others, tagCoding, first] : [...onSend, tagCoding];
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
