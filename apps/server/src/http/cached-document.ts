import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { codedTag, hasMatchingTag } from './etag.ts';

export type Coding = 'br' | 'gzip';

/** Of 11: higher levels make 4 MB only a few per cent smaller, and take longer than 250 ms. */
const BROTLI_QUALITY = 5;
const compressors: Record<Coding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: promisify(gzip) as (body: Buffer) => Promise<Buffer>,
};
const codings: (Coding | 'identity')[] = ['br', 'gzip', 'identity'];

/** A document that is the same for everyone while the process runs. Compressed at most once for each coding, in the thread pool. */
export class CachedDocument {
  readonly digest: string;
  readonly #body: Buffer;
  readonly #type: string;
  readonly #bodies: Map<Coding, Buffer | Promise<Buffer>>;
  readonly #codings: (Coding | 'identity')[];

  /** @param compressed the only codings to send; compressed here unless given */
  constructor(content: string | Buffer, type: string, compressed?: ReadonlyMap<Coding, Buffer>) {
    this.#body = Buffer.from(content);
    this.#type = type;
    this.#bodies = new Map(compressed);
    this.#codings = codings.filter(
      (coding) => coding === 'identity' || compressed === undefined || compressed.has(coding),
    );
    this.digest = hash('sha256', this.#body, 'base64url').slice(0, 16);
  }

  async send(request: FastifyRequest, reply: FastifyReply, cacheControl: string): Promise<FastifyReply> {
    const { 'accept-encoding': accepted = '', 'if-none-match': ifNoneMatch } = request.headers;
    const coding = negotiate(accepted.toLowerCase(), this.#codings) ?? 'identity';
    const tag = `"${this.digest}"`;
    reply.header('Cache-Control', cacheControl).header('Vary', 'accept-encoding');
    reply.header('ETag', codedTag(tag, coding));
    if (hasMatchingTag(ifNoneMatch, tag)) return reply.code(304).send();
    reply.type(this.#type);
    if (coding === 'identity') return reply.send(this.#body);
    return reply.header('Content-Encoding', coding).send(await this.#compressed(coding));
  }

  async #compressed(coding: Coding): Promise<Buffer> {
    let body = this.#bodies.get(coding);
    if (body === undefined) {
      body = compressors[coding](this.#body);
      this.#bodies.set(coding, body);
    }
    return body;
  }
}
