import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { LocalPostgresConnection } from '../index.ts';

/** The upstream of a proxy: the directory of a unix socket, or a host, as in node-postgres. */
type Target = Pick<LocalPostgresConnection, 'host' | 'port'>;

/** A TCP proxy between a process and its PostgreSQL, which simulates network failures. */
export interface DatabaseProxy extends AsyncDisposable {
  /** The parameters of a connection through the proxy. */
  connection: LocalPostgresConnection;
  /** The number of connections so far. */
  connections(): number;
  /** Drops all data of the current connections without closing them, like a NAT that lost its state. New ones work. */
  silence(): void;
  /** Drops all data of current and new connections without closing them, like a network that fails. */
  stall(): void;
  /** Closes all connections and rejects new ones, like a server that was stopped. */
  cut(): void;
  /** Delays all data by so many milliseconds in each direction. */
  slow(delayMs: number): void;
  /** Serves new connections again, without delay; connections that were silenced stay so. */
  mend(): Promise<void>;
  /** Changes the upstream and closes all connections, like an address that moves. */
  aim(target: Target): void;
}

interface ProxyOptions {
  /**
   * Receives all data of the database, with the number of their connection; if it returns false, the data are dropped and the
   * connection is closed.
   */
  mayPass?: (answer: Buffer, connection: number) => boolean;
}

/** A connection through the proxy. */
interface Pair {
  client: Socket;
  upstream: Socket;
  isSilent: boolean;
}

function dial({ host, port }: Target): Socket {
  return host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect({ host, port, noDelay: true });
}

/** Writes chunks in their order, now or after the delay. */
function delayed(write: (chunk: Buffer) => void, delayMs: () => number): (chunk: Buffer) => void {
  const waiting: Buffer[] = [];
  return (chunk) => {
    if (waiting.length === 0 && delayMs() === 0) return write(chunk);
    waiting.push(chunk);
    setTimeout(() => write(waiting.shift() as Buffer), delayMs());
  };
}

/** Forwards data between the two sockets of a pair, and closes them together. */
function bridge(
  { pair, mayPass, delayMs }: { pair: Pair; mayPass: (answer: Buffer) => boolean; delayMs: () => number },
  onEnd: () => void,
): void {
  const { client, upstream } = pair;
  const send = delayed((chunk) => upstream.write(chunk), delayMs);
  const answer = delayed((chunk) => client.write(chunk), delayMs);
  client.on('data', (chunk: Buffer) => pair.isSilent || send(chunk));
  upstream.on('data', (chunk: Buffer) => {
    if (pair.isSilent) return;
    if (mayPass(chunk)) answer(chunk);
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

/** Starts a proxy to the database on a free port of the loopback address. */
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
    bridge({ pair, mayPass: (answer) => mayPass(answer, number), delayMs: () => delayMs }, () =>
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

/** A port of the loopback address that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server, 0);
  server.close();
  await once(server, 'close');
  return port;
}
