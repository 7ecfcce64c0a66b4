import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { isLoopback } from '../config/setting-types.ts';

/**
 * The origin of the pages of this service: that of ROSTER_PUBLIC_URL or, without it, of the loopback address in `Host`. Undefined
 * for any other host: it may be made up, and a session must not travel without encryption.
 */
export function ownOriginOf(
  { host }: IncomingHttpHeaders,
  publicUrl: string | undefined,
): string | undefined {
  if (publicUrl !== undefined) return new URL(publicUrl).origin;
  return host !== undefined && isLoopback(host) ? `http://${host.toLowerCase()}` : undefined;
}

/**
 * Whether a request was made by a page of another origin, by what only the browser itself can set: `Sec-Fetch-Site` (Fetch
 * Metadata) and `Origin`. Another port of the same host is another origin.
 */
export function isForeign(headers: IncomingHttpHeaders, ownOrigin: string): boolean {
  const { 'sec-fetch-site': site, origin } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  return origin !== undefined && origin.toLowerCase() !== ownOrigin;
}

/**
 * Whether a request was made by a page of this service. Unlike `isForeign` it needs evidence: `Sec-Fetch-Site: same-origin` or, of
 * a browser that does not send it, the own `Origin`.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, ownOrigin: string): boolean {
  const { 'sec-fetch-site': site, origin } = headers;
  if (isForeign(headers, ownOrigin)) return false;
  return site === 'same-origin' || (site === undefined && origin !== undefined);
}

/**
 * The origin at which a browser has passkeys for the service, whose hosts have names (WebAuthn, section 5.1.2): that of the service or, of
 * an address of this computer, the same port of `localhost`. Undefined at any other address.
 */
export function passkeyOriginOf(ownOrigin: string | undefined): string | undefined {
  if (ownOrigin === undefined) return undefined;
  const { protocol, hostname, port } = new URL(ownOrigin);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) === 0) return ownOrigin;
  return isLoopback(hostname) ? `${protocol}//localhost${port === '' ? '' : `:${port}`}` : undefined;
}
