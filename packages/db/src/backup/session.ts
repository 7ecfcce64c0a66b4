import { Socket } from 'node:net';
import { type ConnectionTarget, clientConfig } from '@roster/postgres';
import { Kysely, PostgresDialect, type PostgresPoolClient, sql, type Transaction } from 'kysely';
import { Client } from 'pg';
import { type CopyStreamQuery, type CopyToStreamQuery, from, to } from 'pg-copy-streams';
import type { Database } from '../tables.ts';

/** Why a backup or a restore failed. The message is for the person who asked for it. */
export class BackupError extends Error {
  override name = 'BackupError';
}

/** One connection for statements and COPY, so that both are part of the same transaction. */
export interface Session extends AsyncDisposable {
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

/** The text format of values, and no timeouts. `transaction_timeout` came with PostgreSQL 17: set after connecting, if it exists. */
const SETTINGS = {
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
export async function openSession(connection: ConnectionTarget, signal?: AbortSignal): Promise<Session> {
  const socket = new Socket();
  const client = new Client({
    ...clientConfig(connection, 'roster backup'),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    stream: () => socket,
    keepAlive: true,
  });
  let lost: Error | undefined;
  client.on('error', (error) => {
    lost ??= error;
  });
  const cut = () => void socket.destroy();
  signal?.addEventListener('abort', cut);
  const describe = (error: unknown): unknown => {
    if (signal?.aborted) return signal.reason;
    const end = lost ?? (isPostgresError(error) && error.severity === 'FATAL' ? error : undefined);
    if (end)
      return new BackupError(`The connection to the database was lost: ${end.message}`, { cause: error });
    if (!isPostgresError(error)) return error;
    return new BackupError(`PostgreSQL returned an error: ${error.message}`, { cause: error });
  };
  try {
    signal?.throwIfAborted();
    await client.connect();
  } catch (error) {
    cut();
    signal?.throwIfAborted();
    throw new BackupError(`The database cannot be reached: ${messageOf(error)}`, { cause: error });
  }
  const query = client.query.bind(client) as PostgresPoolClient['query'];
  const connect = async () => ({ query, release: () => undefined });
  const pool = { connect, end: async () => undefined, options: {} };
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return {
    async transaction(mode, work) {
      const transaction = db
        .transaction()
        .setIsolationLevel(mode === 'snapshot' ? 'repeatable read' : 'read committed')
        .setAccessMode(mode === 'snapshot' ? 'read only' : 'read write');
      // If the connection is lost, the rollback fails too, and hides why.
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
        throw describe(failure ?? error);
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

/** Whether PostgreSQL sent the error, which then has a severity. */
function isPostgresError(error: unknown): error is Error & { severity: unknown } {
  return error instanceof Error && 'severity' in error;
}

/** A host with several addresses fails with an AggregateError, which has no message of its own. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
