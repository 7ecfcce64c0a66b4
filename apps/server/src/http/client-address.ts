import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const withPort = /^(?:\[(?<v6>[^\]]*)\](?::\d+)?|(?<v4>[\d.]+):\d+)$/;
/** Providers assign a /64 to one customer, who chooses the rest. */
const NETWORK_PARTS = 4;

/** The network that limits count: an IPv4 address or an IPv6 /64, else `unknown`, so that clients cannot invent new names. */
export function networkOf(address: string): string {
  const { v4, v6 } = withPort.exec(address)?.groups ?? {};
  const bare = (v4 ?? v6 ?? address).trim().replace(/%.*$/, '');
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return bare;
  if (!ipaddr.IPv6.isValid(bare)) return 'unknown';
  const parsed = ipaddr.IPv6.parse(bare);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const parts = parsed.parts.slice(0, NETWORK_PARTS).map((part) => part.toString(16));
  return `${parts.join(':')}::/64`;
}

/** Undefined for anything else: a proxy may forward any text. */
export function loggedAddress(ip: string): string | undefined {
  return isIP(ip) === 0 ? undefined : ip;
}
