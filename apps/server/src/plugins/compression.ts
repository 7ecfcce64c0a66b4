import compress from '@fastify/compress';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { codedTag } from '../http/etag.ts';
import { bodyCodings } from '../http/media-types.ts';

/** Smaller responses are not compressed. */
const COMPRESS_FROM_BYTES = 1_024;

/** Compresses responses, and decompresses request bodies. */
export async function registerCompression(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    threshold: COMPRESS_FROM_BYTES,
    encodings: ['br', 'gzip', 'deflate'],
    requestEncodings: bodyCodings,
  });
  orderLastHooks(app);
}

type OnSend = (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done) => void;
type Done = (error: Error | null, payload: unknown) => void;

/** Gives a compressed response its own ETag: other bytes need another strong tag (RFC 9110, section 8.8.3.3). */
const tagCoding: OnSend = (_, reply, payload, done) => {
  const tag = reply.getHeader('ETag');
  const coding = reply.getHeader('Content-Encoding');
  if (typeof tag === 'string' && typeof coding === 'string') reply.header('ETag', codedTag(tag, coding));
  done(null, payload);
};

/**
 * Orders the last onSend hooks of each compressed route: compression, then the ETag, and for HEAD after both Fastify's hook
 * that sets Content-Length and drops the body, so that HEAD has the headers of GET (RFC 9110, section 9.3.2).
 */
function orderLastHooks(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { onSend, method } = route;
    // The compression plugin adds a list of hooks to the routes that it compresses.
    if (!Array.isArray(onSend)) return;
    const [first, ...others] = onSend;
    route.onSend =
      method === 'HEAD' && first !== undefined ? [...others, tagCoding, first] : [...onSend, tagCoding];
  });
}
