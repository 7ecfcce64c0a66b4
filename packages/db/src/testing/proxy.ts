import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestDatabase } from './index.ts';

/** Stands between a process and its PostgreSQL, and sees what passes. */
export interface DatabaseProxy extends AsyncDisposable {
  /** What `connect` takes to come by this way. */
  connection: TestDatabase['connection'];
  /** How many have connected so far. */
  connections(): number;
  /** Lets nothing pass any more on what is connected now and cuts nothing, as a network that forgot; others pass. */
  silence(): void;
  /** Lets nothing pass any more, whoever connects, and cuts nothing, as a network that died. */
  stall(): void;
  /** Cuts what is connected, and refuses whoever connects, as a server that was stopped. */
  cut(): void;
  /** Lets those pass who connect from now on; what was silenced stays so. */
  mend(): Promise<void>;
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
  let connections = 0;
  const server = createServer((client) => {
    const upstream = host.startsWith('/')
      ? connect(`${host}/.s.PGSQL.${port}`)
      : connect({ host, port, noDelay: true });
    const pair = { sockets: [client, upstream] as [Socket, Socket], isSilent: isStalled };
    pairs.add(pair);
    connections += 1;
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
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const ownPort = await listen(0);
  const silence = () => {
    for (const pair of pairs) pair.isSilent = true;
  };
  const cut = () => {
    server.close();
    for (const { sockets } of pairs) for (const socket of sockets) socket.destroy();
  };
  return {
    connection: { ...connection, host: '127.0.0.1', port: ownPort },
    connections: () => connections,
    silence,
    stall: () => {
      isStalled = true;
      silence();
    },
    cut,
    mend: async () => {
      isStalled = false;
      if (!server.listening) await listen(ownPort);
    },
    [Symbol.asyncDispose]: async () => {
      const closed = server.listening || pairs.size > 0 ? once(server, 'close') : undefined;
      cut();
      await closed;
    },
  };
}
