import type { IncomingMessage } from 'node:http';
import { PassThrough, type Transform } from 'node:stream';
import zlib, { type Zlib } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import compress from '@fastify/compress';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { codedTag } from '../etag.ts';
import { knownCaller } from '../identity.ts';
import { announcesBody, bodyCodings, isCoded, requirePlainBody } from '../media-types.ts';

const COMPRESS_FROM_BYTES = 1_024;
const codings: ('br' | 'gzip' | 'deflate')[] = ['br', 'gzip', 'deflate'];

/** The coding in which the compression plugin would send a JSON body; undefined for none. The plugin takes `*` and `x-gzip` for gzip. */
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

/** Keeps a decoder that fails from destroying the request: `pipeline` of Node would close its connection, and the response with it. */
function detachedBody(request: IncomingMessage): PassThrough {
  const body = new PassThrough();
  request.on('error', (error) => body.destroy(error));
  body.once('close', () => request.unpipe(body).resume());
  return request.pipe(body);
}

export async function registerCompression(app: FastifyInstance): Promise<void> {
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (!isCoded(request.headers) || !announcesBody(request.headers)) return done(null, payload);
    if (knownCaller(request) !== undefined) return done(null, detachedBody(request.raw));
    requirePlainBody.call(app, request, reply, (error) => done(error ?? null, payload));
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
 * Those of Node drop data after the end of a stream, frame or member. Here further frames and members are decoded (RFC 8878, section 3;
 * RFC 1952, section 2.2), and anything else is an error.
 */
function readToEnd<Decoder extends Transform & Zlib>(decoder: Decoder): Decoder {
  const push = decoder.push.bind(decoder);
  const write = decoder._write.bind(decoder);
  // The decoder ends its output here although input is left.
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
  createGunzip: () => readToEnd(zlib.createGunzip()),
  createInflate: () => readToEnd(zlib.createInflate()),
};

type OnSend = (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done) => void;
type Done = (error: Error | null, payload: unknown) => void;

/** Other bytes need another strong tag (RFC 9110, section 8.8.3.3). */
const tagCoding: OnSend = (_, reply, payload, done) => {
  const tag = reply.getHeader('ETag');
  const coding = reply.getHeader('Content-Encoding');
  if (typeof tag === 'string' && typeof coding === 'string') reply.header('ETag', codedTag(tag, coding));
  done(null, payload);
};

/** For HEAD Fastify's own hook comes last, so that HEAD has the headers of GET (RFC 9110, section 9.3.2). */
function orderLastHooks(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { onSend, method } = route;
    if (!Array.isArray(onSend)) return;
    const [first, ...others] = onSend;
    route.onSend =
      method === 'HEAD' && first !== undefined ? [...others, tagCoding, first] : [...onSend, tagCoding];
  });
}
