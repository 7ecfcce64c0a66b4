import { isLoopback } from '../../config/setting-types.ts';

/** The response headers that a page of an allowed origin may read (CORS). */
export const exposedHeaders = [
  'ETag',
  'Link',
  'Location',
  'Retry-After',
  'X-Request-Id',
  'Idempotency-Replayed',
  'Consistency-Token',
  'RateLimit',
  'RateLimit-Policy',
  'OData-Version',
  'Preference-Applied',
  'EntityId',
];

/** The policy of API responses: in a browser they load and run nothing. */
const apiPolicy = "default-src 'none'; frame-ancestors 'none'";

const YEAR_S = 365 * 24 * 60 * 60;

/** The headers of every response that tell a browser how to protect itself. */
export type SecurityHeaders = Readonly<Record<string, string>>;

/**
 * The headers of every response that tell a browser not to guess its type, leak its URL, run or embed it. If browsers reach the service
 * over https, also to come back over https alone (RFC 6797), and to keep windows of other origins away from its own. A loopback host is
 * left out of the first: browsers would apply it to every other program of the computer.
 */
export function securityHeadersFor(publicUrl: string | undefined): SecurityHeaders {
  const { protocol, host } = publicUrl === undefined ? { protocol: '', host: '' } : new URL(publicUrl);
  const isSecure = protocol === 'https:';
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': apiPolicy,
    'cross-origin-resource-policy': 'same-origin',
    ...(isSecure && { 'cross-origin-opener-policy': 'same-origin' }),
    ...(isSecure && !isLoopback(host) && { 'strict-transport-security': `max-age=${YEAR_S}` }),
  };
}
