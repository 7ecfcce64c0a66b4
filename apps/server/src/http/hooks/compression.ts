import type { IncomingMessage } from 'node:http';
import { PassThrough, type Transform } from 'node:stream';
import zlib, { type Zlib } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import compress from '@fastify/compress';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { codedTag } from '../etag.ts';
import { announcesBody, bodyCodings } from '../media-types.ts';

/** Smaller responses are not compressed. */
const COMPRESS_FROM_BYTES = 1_024;
const codings: ('br' | 'gzip' | 'deflate')[] = ['br', 'gzip', 'deflate'];

/**
 * The coding in which the compression plugin would send a JSON body of so many bytes; undefined if it would leave it as it is.
 * The plugin takes `*` and `x-gzip` in Accept-Encoding for gzip.
 */
export function chooseCoding({ headers }: FastifyRequest, bytes: number): string | undefined {
  const accepted = headers['accept-encoding'];
  if (bytes < COMPRESS_FROM_BYTES || accepted === undefined || headers['x-no-compression'] !== undefined)
    return undefined;
  return (
    negotiate(
      String(accepted)
        .toLowerCase()
        .replaceAll(/\*|x-gzip/g, 'gzip'),
      codings,
    ) ?? undefined
  );
}

/**
 * The body of a request, of which a decoder that fails destroys only this stream, and the rest is discarded. It would destroy the request
 * with it, which takes away its connection (`pipeline` of Node), and with that the response.
 */
function detachedBody(request: IncomingMessage): PassThrough {
  const body = new PassThrough();
  request.on('error', (error) => body.destroy(error));
  body.once('close', () => request.unpipe(body).resume());
  return request.pipe(body);
}

/** Compresses responses, and decompresses request bodies. */
export async function registerCompression(app: FastifyInstance): Promise<void> {
  app.addHook('preParsing', (request, _, payload, done) => {
    const isCoded = (request.headers['content-encoding'] ?? 'identity') !== 'identity';
    done(null, isCoded && announcesBody(request.headers) ? detachedBody(request.raw) : payload);
  });
  await app.register(compress, {
    threshold: COMPRESS_FROM_BYTES,
    encodings: codings,
    requestEncodings: bodyCodings,
    zlib: bodyDecoders,
  });
  orderLastHooks(app);
}

/**
 * Lets a decoder read a body to its end. Those of Node drop what follows a stream of deflate or br, a frame of zstd that ends within a
 * chunk, and a zero byte after a member of gzip. Further frames and members are decoded (RFC 8878, section 3; RFC 1952, section 2.2), and
 * anything else is an error.
 */
function readToEnd<Decoder extends Transform & Zlib>(decoder: Decoder): Decoder {
  const push = decoder.push.bind(decoder);
  const write = decoder._write.bind(decoder);
  // The decoder ends its output at what it would drop.
  decoder.push = (piece, encoding) => (piece === null && decoder.writableLength > 0) || push(piece, encoding);
  decoder._write = (chunk: Buffer, encoding, done) => {
    const before = decoder.bytesWritten;
    write(chunk, encoding, (error) => {
      const taken = decoder.bytesWritten - before;
      if (error || taken === chunk.length || decoder.destroyed) return done(error);
      if (taken === 0) return done(new Error('data follows the end of the compressed body'));
      decoder._write(chunk.subarray(taken), encoding, done);
    });
  };
  return decoder;
}

const bodyDecoders = {
  createZstdDecompress: () => readToEnd(zlib.createZstdDecompress()),
  createBrotliDecompress: () => readToEnd(zlib.createBrotliDecompress()),
  createGunzip: () => readToEnd(zlib.createGunzip()),
  createInflate: () => readToEnd(zlib.createInflate()),
};

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
