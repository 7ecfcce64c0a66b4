import { type ConnectionTarget, clientConfig } from '@roster/postgres';
import { Kysely, PostgresDialect, type PostgresPoolClient, sql } from 'kysely';
import { Client, escapeIdentifier } from 'pg';
import { type CopyStreamQuery, type CopyToStreamQuery, from, to } from 'pg-copy-streams';
import type { Database } from '../tables.ts';

/** The message is for the user. */
export class BackupError extends Error {
  override name = 'BackupError';
}

export interface Table {
  schema: string;
  name: string;
  columns: string[];
}

/** One connection for statements and COPY, so that they share a transaction. */
export interface Session {
  db: Kysely<Database>;
  /** `rowCount` is set at the end. */
  copyOut(table: Table): CopyToStreamQuery;
  /** The transaction must have created or truncated the table. `rowCount` is set at the end. */
  copyIn(table: Table): CopyStreamQuery;
}

const CONNECT_TIMEOUT_MS = 10_000;

/** `transaction_timeout` exists since PostgreSQL 17, so it is set after connecting. */
const SETTINGS = {
  client_encoding: 'UTF8',
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '3',
  // A policy that hides rows makes the backup fail.
  row_security: 'off',
  synchronize_seqscans: 'off',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  transaction_timeout: '0',
};

/**
 * Runs `work` on its own connection, without timeouts.
 * @throws BackupError if PostgreSQL fails or the connection is lost; the system's error if it can't be
 * reached; errors of `work`
 */
export async function withSession<Result>(
  connection: ConnectionTarget,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const config = { ...clientConfig(connection, 'roster backup'), keepAlive: true };
  const client = new Client({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  let lost: Error | undefined;
  client.on('error', (error) => {
    lost ??= error;
  });
  await client.connect();
  const query = client.query.bind(client) as PostgresPoolClient['query'];
  const connect = async () => ({ query, release: () => undefined });
  const pool = { connect, end: async () => undefined, options: {} };
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  try {
    await sql`select set_config(name, ${sql.val(SETTINGS)}::jsonb ->> name, false) from pg_settings
      where ${sql.val(SETTINGS)}::jsonb ? name`.execute(db);
    return await work({
      db,
      copyOut: (table) => client.query(to(`copy ${copyTarget(table)} to stdout`)),
      // Invisible to other sessions before the commit, so the rows can be loaded as frozen.
      copyIn: (table) => client.query(from(`copy ${copyTarget(table)} from stdin with (freeze)`)),
    });
  } catch (cause) {
    if (lost !== undefined)
      throw new BackupError(`The connection to the database was lost: ${lost.message}`, { cause });
    // Only errors of PostgreSQL have a severity.
    if (cause instanceof Error && 'severity' in cause)
      throw new BackupError(`PostgreSQL returned an error: ${cause.message}`, { cause });
    throw cause;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function copyTarget({ schema, name, columns }: Table): string {
  const list = columns.map((column) => escapeIdentifier(column)).join(', ');
  return `${escapeIdentifier(schema)}.${escapeIdentifier(name)} (${list})`;
}
