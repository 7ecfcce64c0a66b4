import type { FastifyInstance } from 'fastify';
import { codedTag, hasMatchingTag } from '../etag.ts';
import { chooseCoding } from './compression.ts';

const isBody = (payload: unknown): payload is string | Buffer =>
  typeof payload === 'string' || Buffer.isBuffer(payload);

/** The ETag of a 304 is that of the 200 in its coding (RFC 9110, section 15.4.5). Must be registered before the compression. */
export function registerNotModified(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { method, headers } = request;
    const ifNoneMatch = headers['if-none-match'];
    const tag = reply.getHeader('ETag');
    const isRead = method === 'GET' || method === 'HEAD';
    const isCandidate = ifNoneMatch !== undefined && isRead && reply.statusCode === 200;
    if (!isCandidate || typeof tag !== 'string' || !isBody(payload) || !hasMatchingTag(ifNoneMatch, tag)) {
      done(null, payload);
      return;
    }
    const coding = chooseCoding(request, Buffer.byteLength(payload));
    reply.code(304).header('ETag', codedTag(tag, coding)).removeHeader('content-type');
    reply.removeHeader('content-length');
    done(null, '');
  });
}

interface HeaderWriter {
  getHeader(name: string): unknown;
  header(name: string, value: string): unknown;
}

export function appendVary(reply: HeaderWriter, field: string): void {
  const before = reply.getHeader('vary');
  reply.header('vary', before === undefined ? field : `${before}, ${field}`);
}

/** `Vary` is the same whether the response is compressed or not, and on its 304 (RFC 9110, sections 12.5.5 and 15.4.5). */
export function registerVary(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const fields =
      request.identity === undefined ? 'accept-encoding' : 'accept-encoding, Authorization, Cookie';
    if (reply.getHeader('vary') !== fields) appendVary(reply, fields);
    done(null, payload);
  });
}
