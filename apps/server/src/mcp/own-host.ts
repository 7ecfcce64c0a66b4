import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { isLoopback } from '../config/setting-types.ts';
import { ownOriginOf } from '../http/own-origin.ts';
import { forbidden, type ProtocolFailure } from './json-rpc.ts';

interface OwnHostOptions {
  /** The URL at which browsers reach the service (ROSTER_PUBLIC_URL). */
  publicUrl: string | undefined;
  /** Origins whose pages may call the API (ROSTER_CORS_ORIGINS). */
  corsOrigins: readonly string[];
}

/** The host without its port; an IPv6 address without its brackets. */
const nameOf = (host: string) => host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');

/**
 * The error for a request that a page of another site may have made by a name of its own for the address of the service (DNS
 * rebinding): `Host` must be loopback, an address or the host of ROSTER_PUBLIC_URL, and `Origin`, which browsers send, that of the
 * service or one of ROSTER_CORS_ORIGINS. Undefined for all others.
 */
export function foreignHost(
  headers: IncomingHttpHeaders,
  { publicUrl, corsOrigins }: OwnHostOptions,
): ProtocolFailure | undefined {
  const { host = '', origin } = headers;
  const isPublic = publicUrl !== undefined && new URL(publicUrl).host === host.toLowerCase();
  if (!isPublic && !isLoopback(host) && isIP(nameOf(host)) === 0)
    return forbidden('The Host of the request is not that of this service (ROSTER_PUBLIC_URL).');
  if (origin === undefined || corsOrigins.includes(origin)) return undefined;
  const isOwn =
    origin === ownOriginOf(headers, publicUrl) || (isLoopback(host) && origin === `http://${host}`);
  return isOwn
    ? undefined
    : forbidden('The Origin of the request is not allowed here (ROSTER_CORS_ORIGINS).');
}
