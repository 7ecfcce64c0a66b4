import { type DatabaseProxy, startProxy } from '@roster/local-postgres/testing/proxy';

/** All ways from one server to the databases: whatever happens, happens to each of them. */
export interface Link extends AsyncDisposable {
  name: string;
  /** For DATABASE_URL: every PostgreSQL, of which the server finds the primary. */
  url: string;
  /** For DATABASE_REPLICA_URLS: the same, one by one. */
  urls: string[];
  cut(): void;
  stall(): void;
  slow(delayMs: number): void;
  mend(): Promise<void>;
}

const USER = 'test';
const DATABASE = 'test';

/** Ways to some databases, all of them whole. */
export async function openLink(
  name: string,
  addresses: readonly { host: string; port: number }[],
): Promise<Link> {
  const proxies = await Promise.all(
    addresses.map(({ host, port }) =>
      startProxy({ connection: { host, port, user: USER, database: DATABASE } }),
    ),
  );
  const hosts = proxies.map(({ connection: { host, port } }) => `${host}:${port}`);
  const each = (act: (proxy: DatabaseProxy) => void) => {
    for (const proxy of proxies) act(proxy);
  };
  return {
    name,
    url: `postgres://${USER}@${hosts.join(',')}/${DATABASE}`,
    urls: hosts.map((host) => `postgres://${USER}@${host}/${DATABASE}`),
    cut: () => each((proxy) => proxy.cut()),
    stall: () => each((proxy) => proxy.stall()),
    slow: (delayMs) => each((proxy) => proxy.slow(delayMs)),
    mend: async () => {
      await Promise.all(proxies.map((proxy) => proxy.mend()));
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(proxies.map((proxy) => proxy[Symbol.asyncDispose]()));
    },
  };
}
