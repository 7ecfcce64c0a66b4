import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';

/** Connections to PostgreSQL of every peer: what `pg`, and so most of them, opens unless told otherwise. */
export const CONNECTIONS = 10;

/** Where PostgreSQL is, as the bench says it. */
export function databaseUrl(): string {
  const url = process.env.DATABASE_URL;
  if (url === undefined) throw new Error('DATABASE_URL is not set: peers are started by the bench');
  return url;
}

/** The line the bench waits for: the same as that of the service. */
export function announce(port: number): void {
  process.stdout.write(`listens at   http://127.0.0.1:${port}\n`);
}

/** Listens on a free port of the loopback address, and says which. */
export function listen(server: Server): void {
  server.listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port));
}
