import { once } from 'node:events';
import { createServer, type ListenOptions, type Server } from 'node:net';
import process from 'node:process';
import type { FastifyInstance } from 'fastify';

/** Sockets that listen on the port together. */
const SOCKETS = 16;

/**
 * Returns a function that makes the application listen and resolves to its URL. Call it before the application is ready, because
 * it adds hooks that close the sockets.
 *
 * Node.js accepts one connection per listening socket in each iteration of the event loop. While many requests make the iterations
 * long, a few hundred new connections would wait for seconds. On Linux several sockets therefore share the port (SO_REUSEPORT).
 * With several processes the primary process accepts the connections, and its iterations are short.
 */
export function prepareListening(
  app: FastifyInstance,
  processes = 1,
): (at: { host: string; port: number }) => Promise<string> {
  if (process.platform !== 'linux' || processes > 1) return (at) => app.listen(at);
  const others: Server[] = [];
  let closed: Promise<unknown> = Promise.resolve();
  app.addHook('preClose', async () => {
    // A server is closed when the last of its connections is.
    closed = Promise.all(others.map((server) => new Promise((resolve) => server.close(resolve))));
  });
  app.addHook('onClose', async () => void (await closed));
  return async ({ host, port }) => {
    const shared = { host, reusePort: true } satisfies ListenOptions;
    const url = await app.listen({ ...shared, port });
    const [first] = app.addresses();
    if (first === undefined || typeof first === 'string') return url;
    const at: ListenOptions = { ...shared, host: first.address, port: first.port };
    while (others.length < SOCKETS - 1) {
      const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
        app.server.emit('connection', socket),
      );
      others.push(server);
      await once(server.listen(at), 'listening');
    }
    return url;
  };
}
