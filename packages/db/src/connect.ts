import { Kysely, PostgresDialect } from 'kysely';
import { Pool, type PoolConfig } from 'pg';
import type { Database } from './tables.ts';

export interface ConnectOptions {
  /** Where PostgreSQL is: a `postgres://` URL, or what the embedded one answers. */
  connection: string | { host: string; port: number; user: string; database: string };
  /** Connections at most; 10 by default. */
  connectionsMax?: number;
  /** A statement that runs longer is cancelled by PostgreSQL; 5,000 ms by default (DESIGN 7). */
  statementTimeoutMs?: number;
  /** How long to wait for a connection; 3,000 ms by default. */
  connectTimeoutMs?: number;
  /** Told of every statement when it has ended, with its text and without its values. */
  onStatement?: (statement: { sql: string; durationMs: number }) => void;
  /** Told of errors of idle connections, which nobody else waits for; they are replaced by themselves. */
  onIdleError?: (error: Error) => void;
}

/**
 * A Kysely over a pool of connections to PostgreSQL. Nothing is opened until the first query.
 * The caller ends it with `destroy()`.
 */
export function connect(options: ConnectOptions): Kysely<Database> {
  const config: PoolConfig = {
    ...(typeof options.connection === 'string'
      ? { connectionString: options.connection }
      : options.connection),
    max: options.connectionsMax ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 3_000,
    statement_timeout: options.statementTimeoutMs ?? 5_000,
    application_name: 'roster',
  };
  const pool = new Pool(config);
  // Without a listener the error of an idle connection would end the process.
  pool.on('error', (error) => options.onIdleError?.(error));
  const { onStatement } = options;
  return new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    ...(onStatement && {
      log: ({ query, queryDurationMillis }) =>
        onStatement({ sql: query.sql, durationMs: queryDurationMillis }),
    }),
  });
}
