import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { startProxy } from '@roster/local-postgres/testing/proxy';
import type { TestServer } from '@roster/server/testing';
import { startConsoleServer } from './scene.ts';

type ServerOptions = Parameters<typeof startConsoleServer>[0];

/** A service at an address that stays the same, while servers behind it come and go as they do in a deployment. */
export interface Service extends AsyncDisposable {
  /** Where browsers reach it. */
  url: string;
  database: TestDatabase;
  /** The server that runs, or ran last. */
  server: TestServer;
  /** Ends the server: connections to the address are rejected from now on. */
  stop(): Promise<void>;
  /** Starts another server over the same database, with other options if they are given. */
  start(options?: ServerOptions): Promise<void>;
  /** Accepts connections and does not respond, like a server that hangs, until `mend`. */
  stall(): void;
  /** Answers again, to new connections. */
  mend(): Promise<void>;
  /** Drops the connections that there are, like a network that fails for a moment. New ones work. */
  interrupt(): Promise<void>;
}

/** Starts a service with the real build of the console. */
export async function startService(options: ServerOptions = {}): Promise<Service> {
  const database: TestDatabase = await createTestDatabase({ requiresEvents: true });
  // Each server has its own connections, as if it was another process.
  const serve = (more: ServerOptions) =>
    startConsoleServer({ ...options, ...more, database, connection: {} });
  const portOf = ({ url }: TestServer) => Number(new URL(url).port);
  let server = await serve({});
  let isRunning = true;
  const target = (port: number) => ({ ...database.connection, host: '127.0.0.1', port });
  const proxy = await startProxy({ connection: target(portOf(server)) });
  const stop = async () => {
    proxy.cut();
    if (isRunning) await server[Symbol.asyncDispose]();
    isRunning = false;
  };
  return {
    url: `http://127.0.0.1:${proxy.connection.port}`,
    database,
    get server() {
      return server;
    },
    stop,
    start: async (more) => {
      await stop();
      server = await serve(more ?? {});
      isRunning = true;
      proxy.aim(target(portOf(server)));
      await proxy.mend();
    },
    stall: () => proxy.stall(),
    mend: async () => {
      proxy.cut();
      await proxy.mend();
    },
    interrupt: async () => {
      proxy.cut();
      await proxy.mend();
    },
    [Symbol.asyncDispose]: async () => {
      await stop();
      await proxy[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}
