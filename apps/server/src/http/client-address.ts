import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** `1.2.3.4:5678`, `[2001:db8::1]:443` or `[2001:db8::1]`, as some proxies write X-Forwarded-For. */
const withPort = /^(?:\[(?<v6>[^\]]*)\](?::\d+)?|(?<v4>[\d.]+):\d+)$/;
/** The prefix of an IPv6 address that a provider assigns to one customer, in 16-bit groups; the rest the customer chooses. */
const NETWORK_PARTS = 4;

/**
 * The network of an address, by which limits count: an IPv4 address itself, also if it is mapped into IPv6; the /64 of an
 * IPv6 address; without port and zone. Returns `unknown` for anything else, so that clients cannot invent new names.
 */
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

/** The address of a client for the log; undefined for anything else, since a proxy may forward any text. */
export function loggedAddress(ip: string): string | undefined {
  return isIP(ip) === 0 ? undefined : ip;
}
