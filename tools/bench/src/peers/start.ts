import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';

/** Connections to PostgreSQL of every peer: what `pg`, and so most of them, opens unless told otherwise. */
export const CONNECTIONS = 10;

/** Where PostgreSQL is, as the bench says it. */
export const databaseUrl = process.env.DATABASE_URL ?? '';

/** Says what the bench waits for, in the words of the service. */
export const announce = (port: number) => process.stdout.write(`listens at   http://127.0.0.1:${port}\n`);

/** Listens on a free port of the loopback address, and says which. */
export function listen(server: Server): void {
  server.listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port));
}
