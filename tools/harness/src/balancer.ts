import { once } from 'node:events';
import { get } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What stands before the servers, at one address. */
export interface Balancer extends AsyncDisposable {
  /** Which one it is, for people. */
  name: string;
  port: number;
  /** Cuts every connection that goes through it; ends when it takes others. */
  cut(): Promise<void>;
}

const LOOK_EVERY_MS = 300;
const LOOK_MS = 1_000;

/** Whether a server says it is ready. */
function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: '/readyz', timeout: LOOK_MS, agent: false });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
    request.on('response', (response) => resolve(response.resume().statusCode === 200));
  });
}

/**
 * A balancer of connections: each goes to the next server that is ready, or, where none is, to the next that takes it,
 * so that a rejection comes from a server and not from here.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const ready = new Set(ports);
  const open = new Set<Socket>();
  let turn = 0;
  const dial = async (): Promise<Socket | undefined> => {
    turn += 1;
    const inTurn = [...ports.slice(turn % ports.length), ...ports.slice(0, turn % ports.length)];
    for (const port of inTurn.toSorted((a, b) => Number(ready.has(b)) - Number(ready.has(a)))) {
      const upstream = connect({ host: '127.0.0.1', port, noDelay: true });
      const connected = once(upstream, 'connect').catch(() => undefined);
      if ((await connected) !== undefined) return upstream;
      ready.delete(port);
    }
    return undefined;
  };
  const server = createServer(async (client) => {
    client.on('error', () => undefined).setNoDelay(true);
    const upstream = await dial();
    if (upstream === undefined || client.destroyed) {
      upstream?.destroy();
      client.destroy();
      return;
    }
    open.add(client);
    upstream.on('error', () => undefined).on('close', () => client.destroy());
    client.on('close', () => {
      open.delete(client);
      upstream.destroy();
    });
    client.pipe(upstream).pipe(client);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const look = async (port: number) => void ((await isReady(port)) ? ready.add(port) : ready.delete(port));
  const timer = setInterval(() => void Promise.all(ports.map(look)), LOOK_EVERY_MS);
  const cut = async () => {
    for (const socket of open) socket.destroy();
  };
  return {
    name: 'a balancer of its own',
    port: (server.address() as AddressInfo).port,
    cut,
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      const closed = once(server, 'close');
      server.close();
      await cut();
      await closed;
    },
  };
}
