const BYTES_FROM = 4_096;

/**
 * A body of JSON from its parts: text, or bytes if it is long, because Node.js copies a long text with its headers and again as it is sent,
 * which costs more than half of a list.
 */
export function jsonBody(parts: readonly (string | Buffer)[]): string | Buffer {
  const [first, second] = parts;
  if (first instanceof Buffer && second === undefined) return first;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const bytesOf = (part: string | Buffer) => (typeof part === 'string' ? Buffer.from(part) : part);
  return length < BYTES_FROM ? parts.join('') : Buffer.concat(parts.map(bytesOf));
}
