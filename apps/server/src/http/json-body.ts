const BYTES_FROM = 4_096;

/**
 * A body of JSON from its parts: text, or bytes if it is long, because Node.js copies a long text with its headers and again as it is sent,
 * which costs more than half of a list.
 */
export function jsonBody(parts: readonly string[]): string | Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return length < BYTES_FROM ? parts.join('') : Buffer.concat(parts.map((part) => Buffer.from(part)));
}
