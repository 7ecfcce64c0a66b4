import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { codedTag, matchingTag } from './etag.ts';

type Coding = 'br' | 'gzip';

/** Of Brotli's 11: 4 MB take a quarter of a second of a thread, and more would make them a few per cent smaller. */
const BROTLI_QUALITY = 5;
const compressors: Record<Coding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: promisify(gzip) as (body: Buffer) => Promise<Buffer>,
};
const codings: (Coding | 'identity')[] = ['br', 'gzip', 'identity'];

/**
 * A document that is the same for every caller and as long as the process lives. It is compressed at most once for each
 * coding, in a thread of its own, and all answers share one buffer.
 */
export class CachedDocument {
  /** Of its content; not of a coding. */
  readonly digest: string;
  readonly #body: Buffer;
  readonly #type: string;
  readonly #coded = new Map<Coding, Promise<Buffer>>();

  constructor(content: string, type: string) {
    this.#body = Buffer.from(content);
    this.#type = type;
    this.digest = hash('sha256', this.#body, 'base64url').slice(0, 16);
  }

  /** Answers a GET or HEAD with it, or with 304. */
  async send(request: FastifyRequest, reply: FastifyReply, cacheControl: string): Promise<FastifyReply> {
    const { 'accept-encoding': accepted = '', 'if-none-match': ifNoneMatch } = request.headers;
    const coding = negotiate(accepted.toLowerCase(), codings) ?? 'identity';
    const tag = `"${this.digest}"`;
    reply.header('Cache-Control', cacheControl).header('Vary', 'accept-encoding');
    const held = matchingTag(ifNoneMatch, tag);
    if (held !== undefined) return reply.code(304).header('ETag', held).send();
    reply.type(this.#type).header('ETag', codedTag(tag, coding));
    if (coding === 'identity') return reply.send(this.#body);
    return reply.header('Content-Encoding', coding).send(await this.#as(coding));
  }

  #as(coding: Coding): Promise<Buffer> {
    let coded = this.#coded.get(coding);
    if (coded === undefined) {
      coded = compressors[coding](this.#body);
      this.#coded.set(coding, coded);
    }
    return coded;
  }
}
