import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { LocalPostgresConnection } from '../index.ts';

type Target = Pick<LocalPostgresConnection, 'host' | 'port'>;

/** Simulates network failures. */
export interface DatabaseProxy extends AsyncDisposable {
  connection: LocalPostgresConnection;
  connections(): number;
  /** Current connections lose all data without closing, like a NAT that lost its state. New ones work. */
  silence(): void;
  /** Also new connections, like a network failure. */
  stall(): void;
  /** Closes and rejects connections, like a stopped server. */
  cut(): void;
  /** In each direction. */
  slow(delayMs: number): void;
  /** Serves new connections again, without delay; silenced ones stay silent. */
  mend(): Promise<void>;
  /** Changes the upstream and closes all connections. */
  aim(target: Target): void;
}

interface ProxyOptions {
  /** Returning false drops the data and closes the connection. */
  mayPass?: (response: Buffer, connection: number) => boolean;
}

interface Pair {
  client: Socket;
  upstream: Socket;
  isSilent: boolean;
}

function dial({ host, port }: Target): Socket {
  return host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect({ host, port, noDelay: true });
}

/** In order, now or after the delay. */
function delayed(write: (chunk: Buffer) => void, delayMs: () => number): (chunk: Buffer) => void {
  const waiting: Buffer[] = [];
  return (chunk) => {
    if (waiting.length === 0 && delayMs() === 0) return write(chunk);
    waiting.push(chunk);
    setTimeout(() => write(waiting.shift() as Buffer), delayMs());
  };
}

function bridge(
  { pair, mayPass, delayMs }: { pair: Pair; mayPass: (response: Buffer) => boolean; delayMs: () => number },
  onEnd: () => void,
): void {
  const { client, upstream } = pair;
  const send = delayed((chunk) => upstream.write(chunk), delayMs);
  const response = delayed((chunk) => client.write(chunk), delayMs);
  client.on('data', (chunk: Buffer) => pair.isSilent || send(chunk));
  upstream.on('data', (chunk: Buffer) => {
    if (pair.isSilent) return;
    if (mayPass(chunk)) response(chunk);
    else client.destroy();
  });
  for (const socket of [client, upstream]) {
    socket.on('error', () => undefined);
    socket.on('close', () => {
      onEnd();
      client.destroy();
      upstream.destroy();
    });
  }
}

export async function startProxy(
  { connection }: { connection: LocalPostgresConnection },
  { mayPass = () => true }: ProxyOptions = {},
): Promise<DatabaseProxy> {
  const pairs = new Set<Pair>();
  let target: Target = connection;
  let isStalled = false;
  let count = 0;
  let delayMs = 0;
  const join = (client: Socket) => {
    count += 1;
    const number = count;
    const pair = { client, upstream: dial(target), isSilent: isStalled };
    pairs.add(pair);
    bridge({ pair, mayPass: (response) => mayPass(response, number), delayMs: () => delayMs }, () =>
      pairs.delete(pair),
    );
  };
  const server = createServer(join);
  const port = await listen(server, 0);
  const sever = () => {
    for (const { client, upstream } of pairs) {
      client.destroy();
      upstream.destroy();
    }
  };
  const silence = () => {
    for (const pair of pairs) pair.isSilent = true;
  };
  return {
    connection: { ...connection, host: '127.0.0.1', port },
    connections: () => count,
    silence,
    stall: () => {
      isStalled = true;
      silence();
    },
    cut: () => {
      server.close();
      sever();
    },
    slow: (timeMs) => {
      delayMs = timeMs;
    },
    mend: async () => {
      isStalled = false;
      delayMs = 0;
      if (!server.listening) await listen(server, port);
    },
    aim: (next) => {
      target = next;
      sever();
    },
    [Symbol.asyncDispose]: async () => {
      const closed = server.listening || pairs.size > 0 ? once(server, 'close') : undefined;
      server.close();
      sever();
      await closed;
    },
  };
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server, 0);
  server.close();
  await once(server, 'close');
  return port;
}
