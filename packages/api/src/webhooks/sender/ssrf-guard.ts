import type dns from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

export class ForbiddenTarget extends Error {}

/**
 * Whether an address in any notation is public: outside the IANA special-purpose registries (private,
 * loopback, link-local, carrier-grade NAT, multicast, unspecified …), without an embedded address (NAT64,
 * 6to4, Teredo). IPv4-mapped IPv6 is checked as IPv4.
 */
export function isPublic(address: string): boolean {
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  // In IPv6 only 2000::/3 is global unicast (RFC 4291, section 2.4).
  return parsed.kind() === 'ipv4' || ((parsed.toByteArray()[0] ?? 0) & 0xe0) === 0x20;
}

/** Why a URL is not allowed; undefined if it is. Resolves no names. */
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

export type Resolve = (
  hostname: string,
  options: dns.LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: dns.LookupAddress[]) => void,
) => void;

/** Checks addresses on connecting, against DNS rebinding. One private address rejects the name. */
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
