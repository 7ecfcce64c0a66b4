import type { IncomingHttpHeaders } from 'node:http';

/** A cookie of the service: for this host alone, never visible to scripts. */
interface Cookie {
  name: string;
  value: string;
  /** Seconds after which the browser deletes it; 0 deletes it now. */
  maxAgeS: number;
}

/** The cookies of one origin. */
export interface CookieNames {
  /** Holds the token of a session. */
  session: string;
  /** Binds a sign-in that is under way to its browser. */
  signIn: string;
}

const plain: CookieNames = { session: 'roster_session', signIn: 'roster_sign_in' };
/** A browser takes a cookie with this prefix only over https, for `/`, and from the host itself (RFC 6265bis, section 4.1.3). */
const hostOnly: CookieNames = { session: '__Host-roster_session', signIn: '__Host-roster_sign_in' };

/** The names of the cookies for an origin; over http, which is a loopback address, a browser takes none with the prefix. */
export function cookieNamesOf(origin: string): CookieNames {
  return origin.startsWith('https:') ? hostOnly : plain;
}

/** The value of a cookie that was sent with a request; undefined without it. */
export function cookieOf({ cookie }: IncomingHttpHeaders, name: string): string | undefined {
  if (cookie === undefined || !cookie.includes(name)) return undefined;
  for (const part of cookie.split(';')) {
    const text = part.trim();
    if (text.startsWith(name) && text[name.length] === '=') return text.slice(name.length + 1);
  }
  return undefined;
}

/** A `Set-Cookie` header. SameSite=Lax, because a sign-in comes back from the identity provider by a navigation. */
export function setCookie({ name, value, maxAgeS }: Cookie): string {
  const secure = name.startsWith('__Host-') ? '; Secure' : '';
  return `${name}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly${secure}; SameSite=Lax`;
}

/** The most that a browser may be asked to keep: 400 days (RFC 6265bis, section 5.5). */
export const COOKIE_AGE_MAX_S = 400 * 86_400;
