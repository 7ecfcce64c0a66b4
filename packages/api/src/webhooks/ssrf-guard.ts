import type dns from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The receiver may not be called: it is, or may be, a part of our own network. */
export class ForbiddenTarget extends Error {}

/**
 * Whether an address is one of the public internet: none of the special-purpose registries of the IANA (private,
 * loopback, link-local, carrier-grade NAT, multicast, unspecified …), in any notation, and none that embeds
 * another one (NAT64, 6to4, Teredo). An IPv4 address inside IPv6 counts as what it is.
 */
export function isPublic(address: string): boolean {
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  // Of IPv6 only 2000::/3 is given out as global unicast (RFC 4291, section 2.4).
  return parsed.kind() === 'ipv4' || ((parsed.toByteArray()[0] ?? 0) & 0xe0) === 0x20;
}

/** What is wrong with a URL as a receiver, for people; undefined where nothing is. Names are not resolved here. */
export function faultOfTarget(
  url: string,
  { isPrivateAllowed }: { isPrivateAllowed: boolean },
): string | undefined {
  if (!URL.canParse(url)) return 'must be an absolute URL';
  const { protocol, username, password, hostname } = new URL(url);
  if (username !== '' || password !== '') return 'must hold no user name and no password';
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
 * How the sockets of deliveries resolve names: the addresses are looked at when the connection is made, and it is
 * made to one of those, so that a name cannot be public when it is checked and private when it is called. One
 * address that is not public refuses the whole name, unless private ones are allowed.
 */
export function guardedLookup(
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
