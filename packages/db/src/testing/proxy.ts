import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestDatabase } from './index.ts';

/** Stands between a process and its PostgreSQL, and sees what passes. */
export interface DatabaseProxy extends AsyncDisposable {
  /** What `connect` takes to come by this way. */
  connection: TestDatabase['connection'];
  /** Lets nothing pass any more on what is connected now and cuts nothing, as a network that forgot; others pass. */
  silence(): void;
  /** Lets nothing pass any more, whoever connects, and cuts nothing, as a network that died. */
  stall(): void;
}

interface ProxyOptions {
  /** Told of everything the database answers; what it answers false to is swallowed, and the connection cut. */
  mayPass?: (answer: Buffer) => boolean;
}

/** A TCP proxy to the database on a free port of this machine. */
export async function startProxy(
  { connection }: Pick<TestDatabase, 'connection'>,
  { mayPass = () => true }: ProxyOptions = {},
): Promise<DatabaseProxy> {
  const { host, port } = connection;
  const pairs = new Set<{ sockets: [Socket, Socket]; isSilent: boolean }>();
  let isStalled = false;
  const server = createServer((client) => {
    const upstream = host.startsWith('/')
      ? connect(`${host}/.s.PGSQL.${port}`)
      : connect({ host, port, noDelay: true });
    const pair = { sockets: [client, upstream] as [Socket, Socket], isSilent: isStalled };
    pairs.add(pair);
    client.on('data', (chunk) => pair.isSilent || upstream.write(chunk));
    upstream.on('data', (chunk: Buffer) => {
      if (pair.isSilent) return;
      if (mayPass(chunk)) client.write(chunk);
      else client.destroy();
    });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('error', () => undefined);
      from.on('close', () => {
        pairs.delete(pair);
        to.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const silence = () => {
    for (const pair of pairs) pair.isSilent = true;
  };
  return {
    connection: { ...connection, host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    silence,
    stall: () => {
      isStalled = true;
      silence();
    },
    [Symbol.asyncDispose]: async () => {
      for (const { sockets } of pairs) for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
