import dns from 'node:dns';
import { type LookupFunction, Socket, type SocketConstructorOpts } from 'node:net';

/** How long the answer of the DNS is waited for, in milliseconds, where an earlier one is known. */
const WAIT_MS = 250;

interface LookUp {
  addresses: Promise<dns.LookupAddress[]>;
  sinceMs: number;
}

/** The last good answer for each name. The names are those of the settings, so there are few. */
const known = new Map<string, dns.LookupAddress[]>();
/** Look-ups under way: one for each name, because each takes a thread of the process while the DNS is silent. */
const pending = new Map<string, LookUp>();

function lookUp(hostname: string, options: dns.LookupOptions): LookUp {
  const key = `${hostname} ${options.family ?? 0} ${options.hints ?? 0}`;
  const running = pending.get(key);
  if (running !== undefined) return running;
  const addresses = new Promise<dns.LookupAddress[]>((resolve, reject) => {
    dns.lookup(hostname, { ...options, all: true }, (error, found) => {
      pending.delete(key);
      if (error !== null) return reject(error);
      known.set(hostname, found);
      resolve(found);
    });
  });
  const begun = { addresses, sinceMs: performance.now() };
  pending.set(key, begun);
  return begun;
}

/**
 * The addresses of the host of a database. Where the DNS fails, or has not answered for a quarter of a second, it is the answer it
 * gave last: a database whose connections are made anew must not go away with the DNS. A name that never had an answer
 * waits for one, as long as `dns.lookup` does.
 */
async function addressesOf(hostname: string, options: dns.LookupOptions): Promise<dns.LookupAddress[]> {
  const { addresses, sinceMs } = lookUp(hostname, options);
  const last = known.get(hostname);
  if (last === undefined) return addresses;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<dns.LookupAddress[]>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, sinceMs + WAIT_MS - performance.now()), last);
  });
  try {
    return await Promise.race([addresses.catch(() => last), late]);
  } finally {
    clearTimeout(timer);
  }
}

const lookup: LookupFunction = (hostname, options, callback) => {
  addressesOf(hostname, options).then(
    (addresses) => {
      const [first] = addresses;
      if (options.all || first === undefined) callback(null, addresses);
      else callback(null, first.address, first.family);
    },
    (error: NodeJS.ErrnoException) => callback(error, []),
  );
};

/** A socket that connects to a port of a host, or to a path, as node-postgres asks it to. */
class DatabaseSocket extends Socket {
  override connect(...[to, host]: [unknown, ...unknown[]]): this {
    if (typeof host === 'string') return super.connect({ port: Number(to), host, lookup });
    return super.connect(String(to));
  }
}

/** The socket of a connection to a database. */
export function openDatabaseSocket(options?: SocketConstructorOpts): Socket {
  return new DatabaseSocket(options);
}
