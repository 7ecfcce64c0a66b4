import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestDatabase } from './index.ts';

/** Stands between a process and its PostgreSQL. */
export interface DatabaseProxy extends AsyncDisposable {
  /** What `connect` takes to come by this way. */
  connection: TestDatabase['connection'];
  /** Lets nothing pass any more on what is connected now and cuts nothing, as a network that forgot; others pass. */
  silence(): void;
}

/** A TCP proxy on a free port of this machine. */
export async function startProxy({ connection }: TestDatabase): Promise<DatabaseProxy> {
  const { host, port } = connection;
  const pairs = new Set<{ sockets: [Socket, Socket]; isSilent: boolean }>();
  const server = createServer((client) => {
    const upstream = host.startsWith('/')
      ? connect(`${host}/.s.PGSQL.${port}`)
      : connect({ host, port, noDelay: true });
    const pair = { sockets: [client, upstream] as [Socket, Socket], isSilent: false };
    pairs.add(pair);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('error', () => undefined);
      from.on('data', (chunk) => pair.isSilent || to.write(chunk));
      from.on('close', () => {
        pairs.delete(pair);
        to.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    connection: { ...connection, host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    silence: () => {
      for (const pair of pairs) pair.isSilent = true;
    },
    [Symbol.asyncDispose]: async () => {
      for (const { sockets } of pairs) for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
