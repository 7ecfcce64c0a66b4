import type dns from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The receiver is in a private network, or may be, and private networks are not allowed. */
export class ForbiddenTarget extends Error {}

/**
 * Whether an address, in any notation, is public: not in the IANA's special-purpose registries (private, loopback, link-local,
 * carrier-grade NAT, multicast, unspecified …) and not one that embeds another address (NAT64, 6to4, Teredo). An IPv4-mapped
 * IPv6 address is checked as the IPv4 address.
 */
export function isPublic(address: string): boolean {
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  // Only 2000::/3 of IPv6 is global unicast (RFC 4291, section 2.4).
  return parsed.kind() === 'ipv4' || ((parsed.toByteArray()[0] ?? 0) & 0xe0) === 0x20;
}

/** Returns why a URL is not allowed as a receiver; undefined if it is. Does not resolve names. */
export function checkUrl(
  url: string,
  { isPrivateAllowed }: { isPrivateAllowed: boolean },
): string | undefined {
  if (!URL.canParse(url)) return 'must be an absolute URL';
  const { protocol, username, password, hostname } = new URL(url);
  if (username !== '' || password !== '') return 'must not have a user name or password';
  if (isPrivateAllowed) return /^https?:$/.test(protocol) ? undefined : 'must be an https or http URL';
  if (protocol !== 'https:') return 'must be an https URL';
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(host) === 0) return /(^|\.)localhost$/.test(host) ? NOT_PUBLIC : undefined;
  return isPublic(host) ? undefined : NOT_PUBLIC;
}

const NOT_PUBLIC = 'must not be on this machine or in a private network';

/** Resolves a name to its addresses, as `dns.lookup` does. */
export type Resolve = (
  hostname: string,
  options: dns.LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: dns.LookupAddress[]) => void,
) => void;

/**
 * The lookup function of the sockets: checks the addresses when the connection is made, so that a name cannot be public when it
 * is checked and private when it is called (DNS rebinding). One private address rejects the name, unless they are allowed.
 */
export function safeLookup(
  { isPrivateAllowed }: { isPrivateAllowed: boolean },
  resolve: Resolve,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) {
        return callback(error ?? new Error('The name has no address.'), '');
      }
      if (!isPrivateAllowed && !addresses.every(({ address }) => isPublic(address))) {
        return callback(new ForbiddenTarget('The name belongs to an address that is not public.'), '');
      }
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}
