import { Socket } from 'node:net';
import { Client } from 'pg';
import { codeOf } from './errors.ts';
import { PORT } from './socket.ts';

/** The name of the super-user and of the database. */
export const ROSTER = 'roster';

/**
 * One user of a shared server: a connection that holds an advisory lock in shared mode. When its process dies, by
 * whatever cause, the kernel closes the connection and PostgreSQL releases the lock, so that nobody counts who is
 * not there.
 */
export interface Membership {
  /** Settles when the connection is lost, or closed by `leave`. */
  readonly lost: Promise<unknown>;
  /** Gives the shared lock back and tries for the exclusive one; true when we are the last, and hold it now. */
  isLast(): Promise<boolean>;
  /** Closes the connection, and with it whatever lock it holds. */
  leave(): Promise<void>;
}

/** Any number will do that no other software uses in the maintenance database; this one spells 'ROSTER'. */
const LOCK = 0x524f53544552;

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Joins those who use the server that listens in a directory, and makes the database if it is not there yet.
 *
 * @param socketDirectory where it listens
 * @param identity the identity in the postmaster.pid of our data directory
 * @returns undefined when the server that answers is another one, or is being stopped by its last user
 * @throws pg's error when nobody answers, or the server starts or stops
 */
export async function join(socketDirectory: string, identity: string): Promise<Membership | undefined> {
  const socket = new Socket();
  const client = new Client({
    host: socketDirectory,
    port: PORT,
    user: ROSTER,
    // Not the database of the data: a session there would be in the way of renaming or dropping it.
    database: 'postgres',
    ssl: false,
    application_name: 'roster (keeps the server)',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    stream: () => socket,
  });
  const lost = new Promise((resolve) => socket.once('close', resolve));
  // An error ends the connection, and its end is what `lost` reports; unheard it would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (await admitted(client, identity)) {
      await ensureDatabase(client);
      // A process with nothing else to do may end: the server stays, and the next start adopts it.
      socket.unref();
      return membership(client, socket, lost);
    }
  } catch (error) {
    socket.destroy();
    throw error;
  }
  await client.end();
  return undefined;
}

function membership(client: Client, socket: Socket, lost: Promise<unknown>): Membership {
  return {
    lost,
    async isLast() {
      socket.ref();
      await client.query('select pg_advisory_unlock_shared($1)', [LOCK]);
      const { rows } = await client.query<{ last: boolean }>('select pg_try_advisory_lock($1) as last', [
        LOCK,
      ]);
      return rows[0]?.last ?? false;
    },
    async leave() {
      socket.ref();
      await client.end();
      if (!socket.closed) socket.destroy();
    },
  };
}

async function admitted(client: Client, identity: string): Promise<boolean> {
  // What the server finds in its own directory and what we find in ours is the same file or another one.
  const { rows } = await client.query<{ file: string; shared: boolean }>(
    `select pg_read_file('postmaster.pid') as file, pg_try_advisory_lock_shared($1) as shared`,
    [LOCK],
  );
  const [row] = rows;
  return row?.file.startsWith(`${identity}\n`) === true && row.shared;
}

async function ensureDatabase(client: Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [ROSTER]);
  if (rowCount !== 0) return;
  try {
    await client.query(`create database ${ROSTER} template template0`);
  } catch (error) {
    // Already there: somebody who joined at the same moment made it.
    if (!['42P04', '23505'].includes(codeOf(error) ?? '')) throw error;
  }
}
