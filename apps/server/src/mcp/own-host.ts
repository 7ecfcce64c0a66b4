import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { isLoopback } from '../config/setting-types.ts';
import { ownOriginOf } from '../http/own-origin.ts';
import { forbidden, type ProtocolFailure } from './json-rpc.ts';

interface OwnHostOptions {
  publicUrl: string | undefined;
  corsOrigins: readonly string[];
}

const nameOf = (host: string) => host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');

/**
 * A page of another site may give the address of the service a name of its own (DNS rebinding), so `Host` and `Origin` must be those of
 * the service.
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
