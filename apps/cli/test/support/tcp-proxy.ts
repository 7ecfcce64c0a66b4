import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** An address behind which servers come and go. */
export interface Relay extends AsyncDisposable {
  url: string;
  /** Passes new connections on to this server. */
  leadTo(url: string): void;
}

/** A relay of TCP on a free port of this machine; it leads nowhere at first, and then hangs up. */
export async function startRelay(): Promise<Relay> {
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
    leadTo: (url) => {
      target = new URL(url);
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
