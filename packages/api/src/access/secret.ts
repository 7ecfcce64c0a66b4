import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { z } from 'zod';

const PREFIX = 'rst_';
const PREFIX_LENGTH = 12;

/**
 * A prefix, 32 random bytes in base64url, and the CRC-32 of both in 8 hexadecimal digits. Secret scanners can
 * recognise it, and a mistyped secret is rejected without a query.
 */
const AFTER_PREFIX = /^[\w-]{43}[0-9a-f]{8}$/;

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function checksummed(prefix: string): string {
  const text = `${prefix}${randomSecret()}`;
  return text + checksumOf(text);
}

export function isChecksummed(prefix: string, text: string): boolean {
  if (!text.startsWith(prefix) || !AFTER_PREFIX.test(text.slice(prefix.length))) return false;
  return checksumOf(text.slice(0, -8)) === text.slice(-8);
}

export function newSecret(): string {
  return checksummed(PREFIX);
}

export function isSecret(text: string): boolean {
  return isChecksummed(PREFIX, text);
}

/** With 256 random bits, one round of SHA-256 is enough. */
export function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

export function prefixOf(secret: string): string {
  return secret.slice(0, PREFIX_LENGTH);
}

const DAY_S = 24 * 60 * 60;
const OVERLAP_MAX_S = 30 * DAY_S;

export function overlapField(description: string) {
  return z.int().min(0).max(OVERLAP_MAX_S).optional().meta({ description, example: 3600 });
}

interface SecretRotation {
  now: Date;
  secret: string;
  previousEndsAt: Date;
}

/** `replace` stores the secret and lets the previous one expire after the overlap, a day by default. */
export async function rotateSecret<Rotated extends object>(
  { now, secret, overlapSeconds = DAY_S }: { now: Date; secret: string; overlapSeconds?: number | undefined },
  replace: (rotation: SecretRotation) => Promise<Rotated>,
): Promise<Rotated & { secret: string }> {
  const previousEndsAt = new Date(now.getTime() + overlapSeconds * 1_000);
  return { ...(await replace({ now, secret, previousEndsAt })), secret };
}
