import ipaddr from 'ipaddr.js';

/** `1.2.3.4:5678`, `[2001:db8::1]:443` or `[2001:db8::1]`, as some proxies write X-Forwarded-For. */
const withPort = /^(?:\[(?<v6>[^\]]*)\](?::\d+)?|(?<v4>[\d.]+):\d+)$/;
/** The part of an IPv6 address that a provider gives to one customer: of the rest they may choose 2^64 addresses. */
const NETWORK_PARTS = 4;

/**
 * The name under which an address is counted: an IPv4 address as it is, also where it came mapped into IPv6; an IPv6
 * address by its /64; without port and zone. What is no address is `unknown`, so that nobody can choose new names.
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
