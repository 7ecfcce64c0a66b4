import dns from 'node:dns';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { Resolve } from './ssrf-guard.ts';

export interface ResolverOptions {
  /** How long a lookup may take as a whole: 3,000 ms unless given. */
  timeoutMs?: number | undefined;
  /** The DNS servers to ask, each as `address` or `address:port`; those of the system unless given. */
  servers?: readonly string[] | undefined;
  /** The file of static names; `/etc/hosts` unless given. */
  hostsFile?: string | undefined;
}

export const TIMEOUT_MS = 3_000;
/** Of one query to one server; then it is sent once more. */
const QUERY_TIMEOUT_MS = 1_000;
const TRIES = 2;
const HOSTS_FILE = '/etc/hosts';

/**
 * Resolves names with c-ares, which waits for answers in the event loop. `dns.lookup` calls getaddrinfo in the thread pool
 * of libuv: four names whose DNS servers do not answer would keep every other lookup of the process waiting, that of the
 * database too, and every operation on files.
 *
 * As getaddrinfo does, it answers `localhost` and the names of `/etc/hosts` without DNS. Other names are absolute: the
 * search domains of `/etc/resolv.conf` are not tried.
 */
export function createResolver(options: ResolverOptions = {}): Resolve {
  return (hostname, _, callback) => {
    addressesOf(hostname.toLowerCase().replace(/\.$/, ''), options).then(
      (addresses) => callback(null, addresses),
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

async function addressesOf(
  name: string,
  { hostsFile = HOSTS_FILE, ...options }: ResolverOptions,
): Promise<dns.LookupAddress[]> {
  const listed = addressesIn(await readFile(hostsFile, 'utf8').catch(() => ''), name);
  if (listed.length > 0) return listed.map(withFamily);
  // RFC 6761, section 6.3: such names are never asked of a DNS server.
  if (/(^|\.)localhost$/.test(name)) return ['127.0.0.1', '::1'].map(withFamily);
  return query(name, options);
}

function withFamily(address: string): dns.LookupAddress {
  return { address, family: isIP(address) };
}

/** The addresses that a hosts file (hosts(5)) gives a name. */
function addressesIn(hosts: string, name: string): string[] {
  const lines = hosts.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/));
  return lines.flatMap(([address = '', ...names]) =>
    isIP(address) !== 0 && names.some((one) => one.toLowerCase() === name) ? [address] : [],
  );
}

/**
 * Asks for the IPv4 and the IPv6 addresses at once. The answer to one of the two is enough. Each lookup has a resolver of
 * its own, so that ending it ends no other and changes of `/etc/resolv.conf` are seen.
 */
async function query(
  name: string,
  { timeoutMs = TIMEOUT_MS, servers }: ResolverOptions,
): Promise<dns.LookupAddress[]> {
  const resolver = new dns.promises.Resolver({
    timeout: Math.min(QUERY_TIMEOUT_MS, timeoutMs),
    tries: TRIES,
  });
  if (servers !== undefined) resolver.setServers(servers);
  const timer = setTimeout(() => resolver.cancel(), timeoutMs);
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  clearTimeout(timer);
  const found = [ipv4, ipv6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found.map(withFamily);
  throw ipv4.status === 'rejected' ? failureOf(name, ipv4.reason) : new Error(`${name} has no address.`);
}

/** Says what failed in words, because c-ares names a query and its code alone. */
function failureOf(name: string, reason: NodeJS.ErrnoException): Error {
  const isSilent = reason.code === dns.TIMEOUT || reason.code === dns.CANCELLED;
  const text = isSilent ? `No DNS server answered for ${name}.` : `The name ${name} was not resolved.`;
  return Object.assign(new Error(text), { code: isSilent ? dns.TIMEOUT : reason.code });
}
