import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { isLoopback } from '../config/setting-types.ts';

/** Undefined for a host that is neither ROSTER_PUBLIC_URL nor loopback: it may be made up, and a session must not travel unencrypted. */
export function ownOriginOf(
  { host }: IncomingHttpHeaders,
  publicUrl: string | undefined,
): string | undefined {
  if (publicUrl !== undefined) return new URL(publicUrl).origin;
  return host !== undefined && isLoopback(host) ? `http://${host.toLowerCase()}` : undefined;
}

/** By headers that only the browser sets (Fetch Metadata). Another port is another origin. */
export function isForeign(headers: IncomingHttpHeaders, ownOrigin: string): boolean {
  const { 'sec-fetch-site': site, origin } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  return origin !== undefined && origin.toLowerCase() !== ownOrigin;
}

/** Unlike `isForeign`, this needs evidence: `Sec-Fetch-Site: same-origin` or, from older browsers, the own `Origin`. */
export function isSameOrigin(headers: IncomingHttpHeaders, ownOrigin: string): boolean {
  const { 'sec-fetch-site': site, origin } = headers;
  if (isForeign(headers, ownOrigin)) return false;
  return site === 'same-origin' || (site === undefined && origin !== undefined);
}

/** Passkeys need a host with a name (WebAuthn, section 5.1.2): a loopback address becomes the same port of `localhost`. */
export function passkeyOriginOf(ownOrigin: string | undefined): string | undefined {
  if (ownOrigin === undefined) return undefined;
  const { protocol, hostname, port } = new URL(ownOrigin);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) === 0) return ownOrigin;
  return isLoopback(hostname) ? `${protocol}//localhost${port === '' ? '' : `:${port}`}` : undefined;
}
