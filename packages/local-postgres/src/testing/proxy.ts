import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { TestDatabase } from './databases.ts';

/** Where a proxy leads: the directory of a unix socket, or a host, as node-postgres takes them. */
type Target = Pick<TestDatabase['connection'], 'host' | 'port'>;

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
  /** Lets everything pass so many milliseconds late, each way. */
  slow(delayMs: number): void;
  /** Lets those pass who connect from now on, at once; what was silenced stays so. */
  mend(): Promise<void>;
  /** Leads to another PostgreSQL from now on, and cuts what is connected, as an address that moves. */
  aim(target: Target): void;
}

interface ProxyOptions {
  /** Told of everything the database answers; what it answers false to is swallowed, and the connection cut. */
  mayPass?: (answer: Buffer) => boolean;
}

/** A connection on its way through. */
interface Pair {
  client: Socket;
  upstream: Socket;
  isSilent: boolean;
}

function dial({ host, port }: Target): Socket {
  return host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect({ host, port, noDelay: true });
}

/** Writes what comes, now or late, always in the order it came. */
function later(write: (chunk: Buffer) => void, delayMs: () => number): (chunk: Buffer) => void {
  const waiting: Buffer[] = [];
  return (chunk) => {
    if (waiting.length === 0 && delayMs() === 0) return write(chunk);
    waiting.push(chunk);
    setTimeout(() => write(waiting.shift() as Buffer), delayMs());
  };
}

/** Lets the two sides of a pair hear each other, and end together. */
function bridge(
  { pair, mayPass, delayMs }: { pair: Pair; mayPass: (answer: Buffer) => boolean; delayMs: () => number },
  onEnd: () => void,
): void {
  const { client, upstream } = pair;
  const send = later((chunk) => upstream.write(chunk), delayMs);
  const answer = later((chunk) => client.write(chunk), delayMs);
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

/** A TCP proxy to the database on a free port of this machine. */
export async function startProxy(
  { connection }: Pick<TestDatabase, 'connection'>,
  { mayPass = () => true }: ProxyOptions = {},
): Promise<DatabaseProxy> {
  const pairs = new Set<Pair>();
  let target: Target = connection;
  let isStalled = false;
  let count = 0;
  let delayMs = 0;
  const join = (client: Socket) => {
    count += 1;
    const pair = { client, upstream: dial(target), isSilent: isStalled };
    pairs.add(pair);
    bridge({ pair, mayPass, delayMs: () => delayMs }, () => pairs.delete(pair));
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
