import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { invalidParameter } from '@roster/api';
import type { Precondition } from '@roster/api/server';

const malformed = (name: string, detail: string) => invalidParameter(name, 'invalid_format', detail);

const tag = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;
/** Empty elements are ignored (RFC 9110, section 5.6.1.2). */
const tagList = new RegExp(`^[\\s,]*${tag}(?:\\s*,[\\s,]*${tag})*[\\s,]*$`);

const versionTags = /(W\/)?"([1-9]\d{0,9})(?:-(?:br|gzip|deflate))?"/g;

function parseVersions(name: string, header: string, isWeak: boolean): Precondition {
  if (header.trim() === '*') return { kind: 'any', versions: [] };
  if (!tagList.test(header)) throw malformed(name, 'must be * or a list of entity tags such as "3"');
  const found = [...header.matchAll(versionTags)].filter(([, weak]) => isWeak || weak === undefined);
  return { kind: 'of', versions: found.map(([, , digits]) => Number(digits)) };
}

/** Compares strongly (RFC 9110, section 13.1.1), unless all tags of the interface are weak. Throws `invalid_parameter`. */
export function parseIfMatch(header: string | undefined, { isWeak = false } = {}): Precondition | undefined {
  return header === undefined ? undefined : parseVersions('If-Match', header, isWeak);
}

/** If-Match, and If-None-Match (RFC 9110, section 13.1.2), which compares weakly. Throws `invalid_parameter`. */
export function parsePrecondition(
  headers: IncomingHttpHeaders,
  options?: { isWeak: boolean },
): Precondition | undefined {
  const wanted = parseIfMatch(headers['if-match'], options);
  const { 'if-none-match': ifNoneMatch } = headers;
  if (ifNoneMatch === undefined) return wanted;
  const { kind, versions } = parseVersions('If-None-Match', ifNoneMatch, true);
  if (kind === 'any') return { kind: 'of', versions: [] };
  if (wanted === undefined || wanted.kind === 'any') return { kind: 'except', versions };
  return { kind: 'of', versions: wanted.versions.filter((version) => !versions.includes(version)) };
}

/** 1 to 255 visible ASCII characters, bare or quoted (draft-ietf-httpapi-idempotency-key-header). Throws `invalid_parameter`. */
export function parseIdempotencyKey({
  headers,
  headersDistinct,
}: Pick<IncomingMessage, 'headers' | 'headersDistinct'>): string | undefined {
  if (headers['idempotency-key'] === undefined) return undefined;
  // Node joins several with commas, which a key may contain.
  const [header = '', more] = headersDistinct['idempotency-key'] ?? [];
  if (more !== undefined) throw invalidParameter('Idempotency-Key', 'repeated', 'must be sent only once');
  const text = header.trim();
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text)?.[1]?.replaceAll(/\\(["\\])/g, '$1');
  const key = quoted ?? text;
  const isReadable = quoted !== undefined || !text.includes('"');
  if (isReadable && /^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw malformed('Idempotency-Key', 'must be 1 to 255 visible ASCII characters, quoted or bare');
}
