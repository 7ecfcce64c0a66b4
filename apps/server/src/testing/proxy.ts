import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

/** Stands between two processes and sees what passes. */
export interface Proxy extends AsyncDisposable {
  port: number;
  /** Lets nothing pass any more and cuts nothing, as a network that died. */
  stall(): void;
}

interface ProxyOptions {
  target: NetConnectOpts;
  /** Told of everything the target answers; what it answers false to is swallowed, and the connection cut. */
  mayPass?: (answer: Buffer) => boolean;
}

/** A TCP proxy on a free port of this machine. */
export async function startProxy({ target, mayPass = () => true }: ProxyOptions): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let isStalled = false;
  const hold = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    const upstream = connect(target);
    hold(client);
    hold(upstream);
    client.on('data', (chunk) => isStalled || upstream.write(chunk));
    upstream.on('data', (chunk: Buffer) => {
      if (isStalled) return;
      if (mayPass(chunk)) client.write(chunk);
      else client.destroy();
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stall: () => {
      isStalled = true;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
