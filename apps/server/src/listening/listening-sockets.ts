import { once } from 'node:events';
import { createServer, type ListenOptions, type Server } from 'node:net';
import process from 'node:process';
import type { FastifyInstance } from 'fastify';

/** Sockets that listen on the port together. */
export const SOCKETS = 16;

interface ListenAddress {
  host: string;
  /** 0 for any free port. */
  port: number;
  /** Whether other processes of this server may listen there already; not unless given. */
  isShared?: boolean;
}

/** Listens, and resolves to the URL. Rejects as `listen` of Node.js does, such as with EADDRINUSE. */
type Listen = (address: ListenAddress) => Promise<string>;

/**
 * Returns a function that makes the application listen. In each iteration of the event loop, Node.js accepts one connection for
 * each socket that listens: while iterations are long, because many requests arrive at once, a thousand new connections would
 * wait for seconds, and those beyond the queue of the socket would be dropped and try again after one, three and seven seconds.
 * So several sockets share the port (SO_REUSEPORT), among which Linux distributes the connections; elsewhere there is one. So do
 * the sockets of several processes, which therefore need no process that accepts connections for them; elsewhere Node.js has the
 * primary process do that.
 *
 * To be called before the application is ready, because it adds a hook that closes the sockets with it.
 */
export function prepareListening(app: FastifyInstance): Listen {
  const others: Server[] = [];
  let closed: Promise<unknown> = Promise.resolve();
  app.addHook('preClose', async () => {
    // A socket that does not listen any more is closed when the last of its connections is, as that of the application.
    closed = Promise.all(
      others.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
    );
  });
  app.addHook('onClose', async () => void (await closed));
  return async ({ host, port, isShared = false }) => {
    if (process.platform !== 'linux') return app.listen({ host, port });
    if (port !== 0 && !isShared) await checkFree({ host, port });
    const shared = { host, reusePort: true } satisfies ListenOptions;
    const url = await app.listen({ ...shared, port });
    const address = app.server.address();
    if (address === null || typeof address === 'string') return url;
    while (others.length < SOCKETS - 1) {
      const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
        app.server.emit('connection', socket),
      );
      others.push(server);
      server.listen({ ...shared, host: address.address, port: address.port });
      await once(server, 'listening');
    }
    return url;
  };
}

/**
 * Rejects with EADDRINUSE if another process listens on a port. Sockets that share a port would share it with another process that
 * does; alone, one finds it taken.
 */
export async function checkFree(address: Pick<ListenAddress, 'host' | 'port'>): Promise<void> {
  const server = createServer().listen({ ...address, exclusive: true });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
