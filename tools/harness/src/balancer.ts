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
    request.on('response', (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
  });
}

/** Which server is next: of those that are ready, or of all where none is. */
class RoundRobin {
  readonly #ports: readonly number[];
  readonly #ready: Set<number>;
  #next = 0;

  constructor(ports: readonly number[]) {
    this.#ports = ports;
    this.#ready = new Set(ports);
  }

  /** A connection to the next server that takes one; undefined where none does. */
  async dial(): Promise<Socket | undefined> {
    for (const port of this.#candidates()) {
      const upstream = connect({ host: '127.0.0.1', port, noDelay: true });
      const isOpen = await once(upstream, 'connect').then(
        () => true,
        () => false,
      );
      if (isOpen) return upstream;
      this.#ready.delete(port);
    }
    return undefined;
  }

  async look(): Promise<void> {
    const looks = this.#ports.map(async (port) => {
      if (await isReady(port)) this.#ready.add(port);
      else this.#ready.delete(port);
    });
    await Promise.all(looks);
  }

  #candidates(): number[] {
    this.#next += 1;
    const { length } = this.#ports;
    const rotated = this.#ports.map((_, index) => this.#ports[(index + this.#next) % length] ?? 0);
    return rotated.toSorted((a, b) => Number(this.#ready.has(b)) - Number(this.#ready.has(a)));
  }
}

async function join(client: Socket, backends: RoundRobin, open: Set<Socket>): Promise<void> {
  client.on('error', () => undefined).setNoDelay(true);
  const upstream = await backends.dial();
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
}

/**
 * A balancer of connections: each goes to the next server that is ready, or, where none is, to the next that takes it,
 * so that a rejection comes from a server and not from here.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const backends = new RoundRobin(ports);
  const open = new Set<Socket>();
  const server = createServer((client) => void join(client, backends, open));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const timer = setInterval(() => void backends.look(), LOOK_EVERY_MS);
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
