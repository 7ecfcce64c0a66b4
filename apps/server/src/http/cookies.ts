import type { IncomingHttpHeaders } from 'node:http';

interface Cookie {
  name: string;
  value: string;
  maxAgeS: number;
}

export interface CookieNames {
  session: string;
  /** Binds a sign-in in progress to its browser. */
  signIn: string;
}

const plain: CookieNames = { session: 'roster_session', signIn: 'roster_sign_in' };
/** A browser takes this prefix only over https, for `/`, and from the host itself (RFC 6265bis, section 4.1.3). */
const hostOnly: CookieNames = { session: '__Host-roster_session', signIn: '__Host-roster_sign_in' };

/** Over http, at a loopback address, browsers reject the prefix. */
export function cookieNamesOf(origin: string): CookieNames {
  return origin.startsWith('https:') ? hostOnly : plain;
}

export function cookieOf({ cookie }: IncomingHttpHeaders, name: string): string | undefined {
  if (cookie === undefined || !cookie.includes(name)) return undefined;
  for (const part of cookie.split(';')) {
    const text = part.trim();
    if (text.startsWith(name) && text[name.length] === '=') return text.slice(name.length + 1);
  }
  return undefined;
}

/** SameSite=Lax: the identity provider sends the browser back by a navigation. */
export function setCookie({ name, value, maxAgeS }: Cookie): string {
  const secure = name.startsWith('__Host-') ? '; Secure' : '';
  return `${name}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly${secure}; SameSite=Lax`;
}

/** 400 days, the most that browsers keep (RFC 6265bis, section 5.5). */
export const COOKIE_AGE_MAX_S = 400 * 86_400;
