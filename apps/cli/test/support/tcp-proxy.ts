import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy with a fixed address for servers that are restarted. */
export interface TcpProxy extends AsyncDisposable {
  url: string;
  /** Forwards new connections to this server. */
  forwardTo(url: string): void;
}

/** Starts a TCP proxy on a free port. It closes connections until it has a target. */
export async function startTcpProxy(): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let target: URL | undefined;
  const hold = (socket: Socket, other: Socket | undefined) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      other?.destroy();
    });
  };
  const server = createServer((client) => {
    if (target === undefined) return void client.destroy();
    const upstream = connect(Number(target.port), target.hostname);
    hold(client, upstream);
    hold(upstream, client);
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forwardTo: (url) => {
      target = new URL(url);
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
