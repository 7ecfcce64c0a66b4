/** The strong tag of a record: its version and nothing of the caller (RFC 9110, section 8.8.3). */
export function recordTag(version: number): string {
  return `"${version}"`;
}

const codings = ['br', 'gzip', 'deflate'];
const suffix = new RegExp(`-(?:${codings.join('|')})"$`);

/**
 * The tag of a representation in a content coding: bytes that differ need strong tags that differ (RFC 9110, section
 * 8.8.3.3), so that the coding stands behind the tag of the content.
 */
export function codedTag(tag: string, coding: string | undefined): string {
  return coding !== undefined && codings.includes(coding) ? `${tag.slice(0, -1)}-${coding}"` : tag;
}

const tagIn = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/**
 * The tag of If-None-Match that names this content in any coding: one of a list, or for `*` the content's own. Undefined
 * where none does. Compares weakly, as RFC 9110, section 13.1.2 asks: a proxy may have made a tag weak.
 */
export function matchingTag(ifNoneMatch: string | undefined, tag: string | undefined): string | undefined {
  if (ifNoneMatch === undefined || tag === undefined) return undefined;
  if (ifNoneMatch.trim() === '*') return tag;
  for (const [, held = ''] of ifNoneMatch.matchAll(tagIn)) {
    if (held.replace(suffix, '"') === tag) return held;
  }
  return undefined;
}
