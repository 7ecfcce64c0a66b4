import { z } from 'zod';

const LENGTH_MAX = 2_000;
const BASE = 'https://roster.invalid';

/** A path that no browser reads as another host or scheme. */
function isLocalPath(text: string): boolean {
  // Browsers drop tabs and line breaks, and read a backslash as a slash.
  if (!/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text) || !URL.canParse(text, BASE)) return false;
  const { origin, pathname } = new URL(text, BASE);
  return origin === BASE && !pathname.startsWith('//') && !isOfSignIn(pathname);
}

/** In any encoding. A page of this service could otherwise lead on to a link that signs someone in as another person. */
function isOfSignIn(pathname: string): boolean {
  try {
    return decodeURIComponent(pathname).includes('/sign-');
  } catch {
    return true;
  }
}

/** Never another site (open redirect). */
export const ReturnTo = z
  .string()
  .max(LENGTH_MAX)
  .refine(isLocalPath, 'must be a path of this service, such as /docs/')
  .default('/');
