import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * A secret is `rst_`, 32 random bytes in base64url, and a checksum (CRC-32, eight hexadecimal digits) of all that:
 * a scanner knows a leaked one by its form, and a mistyped one is refused without asking the database.
 */
const form = /^rst_[\w-]{43}[0-9a-f]{8}$/;
const HINT_LENGTH = 12;

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

export function newSecret(): string {
  const text = `rst_${randomBytes(32).toString('base64url')}`;
  return text + checksumOf(text);
}

/** Whether a text has the form and the checksum of a secret of ours. */
export function isSecret(text: string): boolean {
  return form.test(text) && checksumOf(text.slice(0, -8)) === text.slice(-8);
}

/** What is kept of a secret. It has 256 random bits, so that one round of SHA-256 is enough. */
export function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** The beginning of a secret, which tells it from others and gives nothing away. */
export function hintOf(secret: string): string {
  return secret.slice(0, HINT_LENGTH);
}
