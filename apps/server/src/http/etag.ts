/** The strong ETag of a record, its version, the same for every caller (RFC 9110, section 8.8.3). */
export function recordTag(version: number): string {
  return `"${version}"`;
}

const codings = ['br', 'gzip', 'deflate'];
const suffix = new RegExp(`-(?:${codings.join('|')})"$`);

/**
 * The ETag of a representation in a content coding: the tag of the content with the coding as suffix, because different
 * bytes need different strong tags (RFC 9110, section 8.8.3.3). A weak tag is that of all codings.
 */
export function codedTag(tag: string, coding: string | undefined): string {
  const isCoded = coding !== undefined && codings.includes(coding) && !tag.startsWith('W/');
  return isCoded ? `${tag.slice(0, -1)}-${coding}"` : tag;
}

const tagIn = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/**
 * Whether If-None-Match names the content, in any coding, or is `*`. Compares weakly (RFC 9110, section 13.1.2), because a proxy
 * may have made a tag weak.
 */
export function hasMatchingTag(ifNoneMatch: string | undefined, tag: string | undefined): boolean {
  if (ifNoneMatch === undefined || tag === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  return [...ifNoneMatch.matchAll(tagIn)].some(([, sent = '']) => sent.replace(suffix, '"') === opaque);
}
