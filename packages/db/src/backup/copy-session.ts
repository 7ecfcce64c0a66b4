import { Socket } from 'node:net';
import { type ConnectionTarget, connectionFactory } from '@roster/postgres';
import {
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  sql,
  type Transaction,
} from 'kysely';
import type { Client } from 'pg';
import { type CopyStreamQuery, type CopyToStreamQuery, from, to } from 'pg-copy-streams';
import type { Database } from '../tables.ts';
import { BackupError, messageOf, toBackupError } from './errors.ts';

/** One connection for statements and COPY, so that both are part of the same transaction. */
export interface CopySession extends AsyncDisposable {
  /**
   * Runs `work` in one transaction and commits it; rolls back if `work` throws.
   * @throws BackupError if the connection is lost or PostgreSQL returns an error
   */
  transaction<Result>(
    mode: 'read committed' | 'snapshot',
    work: (trx: Transaction<Database>) => Promise<Result>,
  ): Promise<Result>;
  /** Reads the rows of `copy … to stdout`; `rowCount` is set at the end. */
  copyOut(statement: string): CopyToStreamQuery;
  /** Writes the rows of `copy … from stdin`; `rowCount` is set at the end. */
  copyIn(statement: string): CopyStreamQuery;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** A broken network is detected after this time and the unanswered TCP keep-alive probes that follow. */
const KEEP_ALIVE_DELAY_MS = 30_000;

/**
 * The text format of values, and no timeouts. Set after connecting, because old versions of PostgreSQL lack some of them:
 * `transaction_timeout` came with 17.
 */
const SETTINGS: Record<string, string> = {
  client_encoding: 'UTF8',
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '3',
  // A policy that hides rows makes the backup fail instead of leaving them out.
  row_security: 'off',
  synchronize_seqscans: 'off',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  transaction_timeout: '0',
};

/**
 * Opens a connection without timeouts. When the signal fires, the connection is closed and PostgreSQL rolls back.
 * @throws BackupError if the database cannot be reached
 */
export async function openCopySession(
  connection: ConnectionTarget,
  signal?: AbortSignal,
): Promise<CopySession> {
  const socket = new Socket();
  const { config, Client } = connectionFactory(connection);
  const client = new Client({
    ...config,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'roster backup',
    stream: () => socket,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
  });
  let lost: Error | undefined;
  client.on('error', (error) => {
    lost ??= error;
  });
  const cut = () => void socket.destroy();
  signal?.addEventListener('abort', cut);
  try {
    signal?.throwIfAborted();
    await client.connect();
  } catch (error) {
    signal?.removeEventListener('abort', cut);
    cut();
    signal?.throwIfAborted();
    throw new BackupError(`The database cannot be reached: ${messageOf(error)}`, { cause: error });
  }
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: poolOf(client) }) });
  return {
    async transaction(mode, work) {
      const transaction =
        mode === 'snapshot'
          ? db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
          : db.transaction().setIsolationLevel('read committed');
      // If the connection is lost, the rollback fails too.
      let failure: unknown;
      const run = (trx: Transaction<Database>) =>
        work(trx).catch((error: unknown) => {
          failure = error;
          throw error;
        });
      try {
        await sql`select set_config(name, ${sql.val(SETTINGS)}::jsonb ->> name, false) from pg_settings
          where ${sql.val(SETTINGS)}::jsonb ? name`.execute(db);
        return await transaction.execute(run);
      } catch (error) {
        throw signal?.aborted ? signal.reason : toBackupError(failure ?? error, lost);
      }
    },
    copyOut: (statement) => client.query(to(statement)),
    copyIn: (statement) => client.query(from(statement)),
    async [Symbol.asyncDispose]() {
      signal?.removeEventListener('abort', cut);
      await client.end().catch(() => undefined);
    },
  };
}

/** A pool for Kysely that always returns the same connection and never closes it. */
function poolOf(client: Client): PostgresPool {
  const query = client.query.bind(client) as PostgresPoolClient['query'];
  const pooled = { query, release: () => undefined };
  return { connect: async () => pooled, end: async () => undefined, options: {} };
}
