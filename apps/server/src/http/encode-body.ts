import { Buffer } from 'node:buffer';
import { type BinaryString, isAscii } from '@roster/api/server';

/** Up to here, in bytes, an answer that is ASCII leaves sooner as text, in one piece with its headers. */
const SHORT = 8_192;

/** What Fastify is given to send parts one after another: each is copied once, and none is encoded. */
export function payloadOf(parts: readonly BinaryString[]): string | Buffer {
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  if (size <= SHORT && parts.every(isAscii)) return parts.join('');
  const payload = Buffer.allocUnsafe(size);
  let at = 0;
  for (const part of parts) at += payload.write(part, at, 'latin1');
  return payload;
}
