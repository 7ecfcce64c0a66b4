import { Socket } from 'node:net';
import { Client, escapeIdentifier } from 'pg';
import { codeOf } from './errors.ts';
import { PORT } from './socket.ts';

/**
 * One use of a shared server: a connection that holds an advisory lock in shared mode. If its process dies, the kernel
 * closes the connection and PostgreSQL releases the lock, so that the locks always count the live users.
 */
export interface ServerLease {
  /** Settles when the connection is lost, or closed by `release`. */
  readonly lost: Promise<unknown>;
  /** Replaces the shared lock by the exclusive one; false if other processes hold the shared lock. */
  tryExclusive(): Promise<boolean>;
  /** Closes the connection, which releases whatever lock it holds. */
  release(): Promise<void>;
}

export interface LeaseOptions {
  /** Where the server listens. */
  socketDirectory: string;
  /** The identity in the postmaster.pid of our data directory. */
  identity: string;
  /** The name of the superuser and of the database. */
  name: string;
}

/** An arbitrary number. It must never change, because processes of several releases share one server. */
const LOCK = 90_500_653_925_714;

const CONNECT_TIMEOUT_MS = 10_000;

/** SQLSTATE codes of `create database` if another process has just created it. */
const ALREADY_EXISTS = ['42P04', '23505'];

/**
 * Acquires a lease of the server that listens in a directory, and creates the database if it does not exist.
 *
 * @returns undefined if another server listens there, or its last user is stopping it
 * @throws the error of pg if the server cannot be reached, or is starting or stopping
 */
export async function acquireLease(options: LeaseOptions): Promise<ServerLease | undefined> {
  const { socketDirectory, identity, name } = options;
  const socket = new Socket();
  const client = new Client({
    host: socketDirectory,
    port: PORT,
    user: name,
    // Not the database of the data, which cannot be renamed or dropped while it has a session.
    database: 'postgres',
    ssl: false,
    application_name: `${name} (server lease)`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    stream: () => socket,
  });
  const lost = new Promise((resolve) => socket.once('close', resolve));
  // `lost` reports the end of the connection; an error event without a listener would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (await tryShared(client, identity)) {
      await ensureDatabase(client, name);
      // The connection does not keep the process alive: the server stays, and the next start adopts it.
      socket.unref();
      return leaseOf(client, socket, lost);
    }
  } catch (error) {
    socket.destroy();
    throw error;
  }
  await client.end();
  return undefined;
}

function leaseOf(client: Client, socket: Socket, lost: Promise<unknown>): ServerLease {
  return {
    lost,
    async tryExclusive() {
      socket.ref();
      await client.query('select pg_advisory_unlock_shared($1)', [LOCK]);
      const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
        LOCK,
      ]);
      return rows[0]?.locked ?? false;
    },
    async release() {
      socket.ref();
      await client.end();
      if (!socket.closed) socket.destroy();
    },
  };
}

async function tryShared(client: Client, identity: string): Promise<boolean> {
  // Tells whether the server uses our data directory: it reads the postmaster.pid of its own.
  const { rows } = await client.query<{ file: string; locked: boolean }>(
    `select pg_read_file('postmaster.pid') as file, pg_try_advisory_lock_shared($1) as locked`,
    [LOCK],
  );
  const [row] = rows;
  return row?.file.startsWith(`${identity}\n`) === true && row.locked;
}

async function ensureDatabase(client: Client, name: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
  if (rowCount !== 0) return;
  try {
    await client.query(`create database ${escapeIdentifier(name)} template template0`);
  } catch (error) {
    if (!ALREADY_EXISTS.includes(codeOf(error) ?? '')) throw error;
  }
}
