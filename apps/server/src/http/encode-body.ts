import { Buffer } from 'node:buffer';
import { type BinaryString, isAscii } from '@roster/api/server';

/** Up to this size ASCII is sent as a string, which Node writes in one piece with the headers. */
const STRING_MAX_BYTES = 8_192;

/** Joins the parts of a response body for Fastify to send: each is copied once, and none is encoded again. */
export function encodeBody(parts: readonly BinaryString[]): string | Buffer {
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  if (size <= STRING_MAX_BYTES && parts.every(isAscii)) return parts.join('');
  const payload = Buffer.allocUnsafe(size);
  let at = 0;
  for (const part of parts) at += payload.write(part, at, 'latin1');
  return payload;
}
