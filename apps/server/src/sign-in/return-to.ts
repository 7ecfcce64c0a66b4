import { z } from 'zod';

const LENGTH_MAX = 2_000;
/** Any origin: only whether a path leaves it matters. */
const BASE = 'https://roster.invalid';

/** Whether a text names a place of this service: a path, which no browser reads as another host or scheme. */
function isLocalPath(text: string): boolean {
  // Browsers drop tabs and line breaks, and read a backslash as a slash.
  if (!/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text) || !URL.canParse(text, BASE)) return false;
  const { origin, pathname } = new URL(text, BASE);
  return origin === BASE && !pathname.startsWith('//') && !isOfSignIn(pathname);
}

/**
 * Whether a path is one of the sign-in, however it is encoded. Otherwise someone who signs in could be led on, by a page of this
 * service, to a link that signs them in as someone else.
 */
function isOfSignIn(pathname: string): boolean {
  try {
    return decodeURIComponent(pathname).includes('/sign-');
  } catch {
    return true;
  }
}

/** The page after signing in: a path of this service with its query, so that nobody can be sent elsewhere. */
export const ReturnTo = z
  .string()
  .max(LENGTH_MAX)
  .refine(isLocalPath, 'must be a path of this service, such as /docs/')
  .default('/');
