/** The strong tag of a record: its version and nothing of the caller (RFC 9110, section 8.8.3). */
export function recordTag(version: number): string {
  return `"${version}"`;
}

const tagIn = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/**
 * Whether If-None-Match names the tag: any of a list, or `*`. Compares weakly, as RFC 9110, section 13.1.2 asks:
 * a proxy that compressed the answer has made the tag weak.
 */
export function isUnchanged(ifNoneMatch: string | undefined, tag: string | undefined): boolean {
  if (ifNoneMatch === undefined || tag === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return Array.from(ifNoneMatch.matchAll(tagIn), ([, opaque]) => opaque).includes(tag);
}
