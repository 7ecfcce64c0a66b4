import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { isLoopback } from '../config/setting-types.ts';
import { ownOriginOf } from '../http/own-origin.ts';
import { forbidden, type ProtocolFailure } from './json-rpc.ts';

interface OwnHostOptions {
  /** ROSTER_PUBLIC_URL. */
  publicUrl: string | undefined;
  /** ROSTER_CORS_ORIGINS. */
  corsOrigins: readonly string[];
}

/** Without its port or the brackets of IPv6. */
const nameOf = (host: string) => host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');

/**
 * Rejects a page of another site that uses a name of its own for the address of the service (DNS rebinding): `Host` must be loopback,
 * an address or the host of ROSTER_PUBLIC_URL, and `Origin` the service's own or allowed.
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
