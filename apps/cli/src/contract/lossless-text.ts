import { Buffer } from 'node:buffer';
import { findLostMembers } from '@roster/import/json-members';
import { usageError } from '../errors.ts';

/** Decoding replaces wrong bytes, so the first difference is the first byte that isn't UTF-8. */
function wrongByte(bytes: Uint8Array): string {
  const replaced = Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  const offset = bytes.findIndex((byte, index) => byte !== replaced[index]);
  const before = bytes.subarray(0, offset);
  const line = before.filter((byte) => byte === 0x0a).length + 1;
  return `byte ${offset - before.lastIndexOf(0x0a)} of line ${line}`;
}

/** Decodes UTF-8, without a byte order mark. Throws a usage error for other bytes instead of replacing them. */
export function decodeText(bytes: Uint8Array, source: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw usageError(`${source} is not UTF-8: ${wrongByte(bytes)}`);
  }
}

/**
 * Throws a usage error for JSON that would be changed by sending it: `JSON.parse` keeps only the last of two members with the
 * same name, and turns a number above 1.8e308 into Infinity, which is sent as null.
 */
export function rejectLostParts(text: string, value: unknown, source: string): void {
  JSON.parse(text, (name, part) => {
    if (part === Number.POSITIVE_INFINITY || part === Number.NEGATIVE_INFINITY)
      throw usageError(`${source}: ${name} is a number out of range`);
    return part;
  });
  // The service says what is wrong with a name that no member may have.
  const first = findLostMembers(text, value).find(({ code }) => code === 'repeated');
  if (first !== undefined) throw usageError(`${source}: ${first.path.join('.')} is given twice`);
}
