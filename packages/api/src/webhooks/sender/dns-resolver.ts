import dns from 'node:dns';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { Resolve } from './ssrf-guard.ts';

export interface ResolverOptions {
  /** The timeout of a lookup: 3,000 ms unless given. */
  timeoutMs?: number | undefined;
  /** The DNS servers to ask, each as `address` or `address:port`; those of the system unless given. */
  servers?: readonly string[] | undefined;
  /** The hosts file; `/etc/hosts` unless given. */
  hostsFile?: string | undefined;
}

const TIMEOUT_MS = 3_000;
/** The timeout of one query to one server, which is then sent once more. */
const QUERY_TIMEOUT_MS = 1_000;
const TRIES = 2;
const HOSTS_FILE = '/etc/hosts';

/**
 * Resolves names with c-ares, which waits in the event loop. `dns.lookup` calls getaddrinfo in libuv's thread pool: four names
 * whose DNS servers do not respond would block all other lookups of the process, including that of the database, and all file
 * operations.
 *
 * Like getaddrinfo, it resolves `localhost` and the names of `/etc/hosts` without DNS. It does not try the search domains of
 * `/etc/resolv.conf`.
 */
export function createResolver(options: ResolverOptions = {}): Resolve {
  return (hostname, _, callback) => {
    resolveAddresses(hostname.toLowerCase().replace(/\.$/, ''), options).then(
      (addresses) => callback(null, addresses),
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

async function resolveAddresses(
  name: string,
  { hostsFile = HOSTS_FILE, ...options }: ResolverOptions,
): Promise<dns.LookupAddress[]> {
  const listed = addressesIn(await readFile(hostsFile, 'utf8').catch(() => ''), name);
  if (listed.length > 0) return listed.map(withFamily);
  // RFC 6761, section 6.3: no DNS server is queried for these names.
  if (/(^|\.)localhost$/.test(name)) return ['127.0.0.1', '::1'].map(withFamily);
  return query(name, options);
}

function withFamily(address: string): dns.LookupAddress {
  return { address, family: isIP(address) };
}

/** The addresses of a name in a hosts file (hosts(5)). */
function addressesIn(hosts: string, name: string): string[] {
  const lines = hosts.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/));
  return lines.flatMap(([address = '', ...names]) =>
    isIP(address) !== 0 && names.some((one) => one.toLowerCase() === name) ? [address] : [],
  );
}

/**
 * Queries the IPv4 and the IPv6 addresses concurrently; one response is enough. Each lookup has its own resolver, so that
 * cancelling it cancels no other, and changes of `/etc/resolv.conf` take effect.
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
  throw ipv4.status === 'rejected' ? toLookupError(name, ipv4.reason) : new Error(`${name} has no address.`);
}

/** An error with a readable message: that of c-ares has only the query and a code. */
function toLookupError(name: string, reason: NodeJS.ErrnoException): Error {
  const isSilent = reason.code === dns.TIMEOUT || reason.code === dns.CANCELLED;
  const text = isSilent ? `No DNS server responded for ${name}.` : `The name ${name} was not resolved.`;
  return Object.assign(new Error(text), { code: isSilent ? dns.TIMEOUT : reason.code });
}
