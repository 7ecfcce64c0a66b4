/** The version of a record as a strong tag (RFC 9110, section 8.8.3). */
export function recordTag(version: number): string {
  return `"${version}"`;
}

const codings = ['br', 'gzip', 'deflate'];
const suffix = new RegExp(`-(?:${codings.join('|')})"$`);

/** Adds the content coding to a strong tag, because other bytes need another tag (RFC 9110, section 8.8.3.3). */
export function codedTag(tag: string, coding: string | undefined): string {
  const isCoded = coding !== undefined && codings.includes(coding) && !tag.startsWith('W/');
  return isCoded ? `${tag.slice(0, -1)}-${coding}"` : tag;
}

const tagIn = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** In any content coding. Compares weakly (RFC 9110, section 13.1.2): a proxy may have made a tag weak. */
export function hasMatchingTag(ifNoneMatch: string | undefined, tag: string | undefined): boolean {
  if (ifNoneMatch === undefined || tag === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  return [...ifNoneMatch.matchAll(tagIn)].some(([, sent = '']) => sent.replace(suffix, '"') === opaque);
}
