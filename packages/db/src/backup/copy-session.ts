import { Socket } from 'node:net';
import { type ConnectOptions, openingOf } from '@roster/postgres';
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
import { BackupError } from './errors.ts';

/** One connection, on which statements and COPY take turns: what is copied is part of the same transaction. */
export interface Session extends AsyncDisposable {
  /**
   * Runs `work` in one transaction and commits it; whatever it throws takes everything back.
   * @throws BackupError where the connection was lost, or PostgreSQL refused
   */
  transaction<Answer>(
    modes: 'read committed' | 'snapshot',
    work: (trx: Transaction<Database>) => Promise<Answer>,
  ): Promise<Answer>;
  /** The rows of `copy … to stdout`; `rowCount` is known at the end. */
  copyOut(statement: string): CopyToStreamQuery;
  /** Takes the rows of `copy … from stdin`; `rowCount` is known at the end. */
  copyIn(statement: string): CopyStreamQuery;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** A network that died is noticed after this and ten unanswered signs of life, a second apart. */
const QUIET_MS = 30_000;

/**
 * How values are written as text, and that nothing ends by a time limit meant for requests. Set after connecting, for
 * some versions do not know all of them: `transaction_timeout` is of 17.
 */
const SETTINGS: Record<string, string> = {
  client_encoding: 'UTF8',
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '3',
  // A policy that hides rows is to fail the backup, not to thin it out.
  row_security: 'off',
  synchronize_seqscans: 'off',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  transaction_timeout: '0',
};

/**
 * Opens a connection without limits of time. When the signal fires it is cut, and PostgreSQL takes back what was begun.
 * @throws BackupError where the database cannot be reached
 */
export async function openSession(
  connection: ConnectOptions['connection'],
  signal?: AbortSignal,
): Promise<Session> {
  const socket = new Socket();
  const { config, Client } = openingOf(connection);
  const client = new Client({
    ...config,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'roster backup',
    stream: () => socket,
    keepAlive: true,
    keepAliveInitialDelayMillis: QUIET_MS,
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
  const inWords = (error: unknown): unknown => {
    if (signal?.aborted) return signal.reason;
    const end = lost ?? (isOfPostgres(error) && error.severity === 'FATAL' ? error : undefined);
    if (end) {
      return new BackupError(`The connection to the database was lost: ${messageOf(end)}`, { cause: error });
    }
    return isOfPostgres(error)
      ? new BackupError(`PostgreSQL refused: ${error.message}`, { cause: error })
      : error;
  };
  return {
    async transaction(modes, work) {
      try {
        await sql`select set_config(name, ${sql.val(SETTINGS)}::jsonb ->> name, false) from pg_settings
          where ${sql.val(SETTINGS)}::jsonb ? name`.execute(db);
        return await inTransaction(db, modes, work);
      } catch (error) {
        throw inWords(error);
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

async function inTransaction<Answer>(
  db: Kysely<Database>,
  modes: 'read committed' | 'snapshot',
  work: (trx: Transaction<Database>) => Promise<Answer>,
): Promise<Answer> {
  const begin = db.startTransaction();
  const trx = await (modes === 'snapshot'
    ? begin.setIsolationLevel('repeatable read').setAccessMode('read only')
    : begin.setIsolationLevel('read committed')
  ).execute();
  try {
    const answer = await work(trx);
    await trx.commit().execute();
    return answer;
  } catch (error) {
    // A connection that is gone has taken its transaction with it; the first error is the one to hear of.
    await trx
      .rollback()
      .execute()
      .catch(() => undefined);
    throw error;
  }
}

/** Kysely asks a pool for connections; this one has one, and never closes it. */
function poolOf(client: Client): PostgresPool {
  const query = client.query.bind(client) as PostgresPoolClient['query'];
  const lent = { query, release: () => undefined };
  return { connect: async () => lent, end: async () => undefined, options: {} };
}

function isOfPostgres(error: unknown): error is Error & { severity: unknown } {
  return error instanceof Error && 'severity' in error;
}

/** A host with several addresses fails with all of their errors at once, and no message. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
