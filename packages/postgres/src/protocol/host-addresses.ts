import dns from 'node:dns';
import { type LookupFunction, Socket, type SocketConstructorOpts } from 'node:net';

/** The longest wait for the DNS if an earlier result is known, in milliseconds. */
export const TIMEOUT_MS = 250;

interface Lookup {
  addresses: Promise<dns.LookupAddress[]>;
  sinceMs: number;
}

/** The last successful result for each name. The names come from connection targets, so there are few. */
const lastResults = new Map<string, dns.LookupAddress[]>();
/** Lookups in progress, one for each name, because each blocks a thread of libuv while the DNS does not respond. */
const pending = new Map<string, Lookup>();

function lookUp(hostname: string, options: dns.LookupOptions): Lookup {
  const key = `${hostname} ${options.family ?? 0} ${options.hints ?? 0}`;
  const running = pending.get(key);
  if (running !== undefined) return running;
  const addresses = new Promise<dns.LookupAddress[]>((resolve, reject) => {
    dns.lookup(hostname, { ...options, all: true }, (error, result) => {
      pending.delete(key);
      if (error !== null) return reject(error);
      lastResults.set(hostname, result);
      resolve(result);
    });
  });
  const started = { addresses, sinceMs: performance.now() };
  pending.set(key, started);
  return started;
}

/**
 * The addresses of a host. If the DNS fails, or has not responded for 250 ms, the last result is used, so that connections
 * can be reopened during an outage of the DNS. A name without an earlier result waits as long as `dns.lookup` does.
 */
async function lookUpAddresses(hostname: string, options: dns.LookupOptions): Promise<dns.LookupAddress[]> {
  const { addresses, sinceMs } = lookUp(hostname, options);
  const last = lastResults.get(hostname);
  if (last === undefined) return addresses;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<dns.LookupAddress[]>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, sinceMs + TIMEOUT_MS - performance.now()), last);
  });
  try {
    return await Promise.race([addresses.catch(() => last), late]);
  } finally {
    clearTimeout(timer);
  }
}

const lookup: LookupFunction = (hostname, options, callback) => {
  lookUpAddresses(hostname, options).then(
    (addresses) => {
      const [first] = addresses;
      if (options.all || first === undefined) callback(null, addresses);
      else callback(null, first.address, first.family);
    },
    (error: NodeJS.ErrnoException) => callback(error, []),
  );
};

/** Connects to a host and port, or to the path of a Unix socket, with the arguments that node-postgres passes. */
class DatabaseSocket extends Socket {
  override connect(...[to, host]: [unknown, ...unknown[]]): this {
    if (typeof host === 'string') return super.connect({ port: Number(to), host, lookup });
    return super.connect(String(to));
  }
}

/** A socket for a connection to PostgreSQL that tolerates an outage of the DNS. */
export function openDatabaseSocket(options?: SocketConstructorOpts): Socket {
  return new DatabaseSocket(options);
}
