import dns from 'node:dns';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { Resolve } from './ssrf-guard.ts';

export interface ResolverOptions {
  /** Per lookup. Defaults to 3,000 ms. */
  timeoutMs?: number | undefined;
  /** Each as `address` or `address:port`. Defaults to those of the system. */
  servers?: readonly string[] | undefined;
  /** Defaults to `/etc/hosts`. */
  hostsFile?: string | undefined;
}

const TIMEOUT_MS = 3_000;
/** Per query, which is sent once more after it. */
const QUERY_TIMEOUT_MS = 1_000;
const TRIES = 2;
const HOSTS_FILE = '/etc/hosts';

/**
 * Resolves names with c-ares in the event loop. `dns.lookup` uses libuv's thread pool: four names whose DNS
 * servers don't respond would block all other lookups of the process, including the database's, and all file
 * operations. Like getaddrinfo it resolves `localhost` and `/etc/hosts` without DNS. It ignores search
 * domains of `/etc/resolv.conf`.
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
  // RFC 6761, section 6.3: never query DNS for these names.
  if (/(^|\.)localhost$/.test(name)) return ['127.0.0.1', '::1'].map(withFamily);
  return query(name, options);
}

function withFamily(address: string): dns.LookupAddress {
  return { address, family: isIP(address) };
}

/** hosts(5) */
function addressesIn(hosts: string, name: string): string[] {
  const lines = hosts.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/));
  return lines.flatMap(([address = '', ...names]) =>
    isIP(address) !== 0 && names.some((one) => one.toLowerCase() === name) ? [address] : [],
  );
}

/** Each lookup has its own resolver, so that cancelling it affects no other. */
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

/** The c-ares error has only the query and a code. */
function toLookupError(name: string, reason: NodeJS.ErrnoException): Error {
  const isSilent = reason.code === dns.TIMEOUT || reason.code === dns.CANCELLED;
  const text = isSilent ? `No DNS server responded for ${name}.` : `The name ${name} was not resolved.`;
  return Object.assign(new Error(text), { code: isSilent ? dns.TIMEOUT : reason.code });
}
