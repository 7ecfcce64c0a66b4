import type { Kysely } from 'kysely';
import { createKysely } from './driver/dialect.ts';
import type { Database } from './tables.ts';

export interface ConnectOptions {
  /** Where PostgreSQL is: a `postgres://` URL, or what the embedded one answers. */
  connection: string | { host: string; port: number; user: string; database: string };
  /** Connections at most for transactions and for statements that may write, one caller each; 10 by default. */
  connectionsMax?: number;
  /** Callers at most who wait for one of them; more are refused with `OverloadedError`; 1,000 by default. */
  waitingMax?: number;
  /**
   * Connections that statements which only read share outside transactions, sent without waiting for the answers of
   * those before; 2 by default. Up to four times as many are open while slow statements hold some.
   */
  pipelines?: number;
  /** Such statements at most, waiting and under way; more are refused with `OverloadedError`; 1,000 by default. */
  pendingMax?: number;
  /**
   * Whether PostgreSQL keeps statements parsed under names; true by default. To be turned off behind a pooler that
   * gives each transaction another connection and does not know names (PgBouncer before 1.21, or with
   * `max_prepared_statements` at 0).
   */
  namedStatements?: boolean;
  /** Names at most on each connection, the one used longest ago gives way; 250 by default. */
  namesMax?: number;
  /** A statement that runs longer is cancelled by PostgreSQL; 5,000 ms by default, 0 for no limit. */
  statementTimeoutMs?: number;
  /** How long to wait for a connection, new or free; 3,000 ms by default. */
  connectTimeoutMs?: number;
  /**
   * A connection that has something to answer and says nothing for so long is given up, with `ConnectionLostError`
   * for all it was asked; a second more than `statementTimeoutMs` by default, without limit where that has none. Whoever
   * lets a statement run longer (`set local statement_timeout`) needs a longer silence too.
   */
  silenceTimeoutMs?: number;
  /** Told of every statement when it has ended, well or not, with its text and without its values. */
  onStatement?: (statement: { sql: string; durationMs: number }) => void;
  /** Told of errors of idle connections, which nobody else waits for; they are replaced by themselves. */
  onIdleError?: (error: Error) => void;
}

/**
 * A Kysely over connections to PostgreSQL. Nothing is opened until the first query. The caller ends it with
 * `destroy()`, which waits for what is under way.
 * @throws RangeError where fewer than one connection of a kind is asked for.
 *
 * A statement outside transactions that only reads is sent again, once, when its connection breaks; one that may write
 * never is. Raw SQL counts as a write unless it was `prepared` as a read. Aborting a statement (`signal`) takes it out
 * of the queue or drops its answer; a statement in a transaction, a write, and one executed with
 * `inflightQueryAbortStrategy: 'cancel query'` is cancelled on the server.
 */
export function connect(options: ConnectOptions): Kysely<Database> {
  const { connection, statementTimeoutMs = 5_000, connectTimeoutMs = 3_000 } = options;
  return createKysely<Database>({
    config: {
      ...(typeof connection === 'string' ? { connectionString: connection } : connection),
      connectionTimeoutMillis: connectTimeoutMs,
      statement_timeout: statementTimeoutMs,
      application_name: 'roster',
      keepAlive: true,
    },
    connectionsMax: options.connectionsMax ?? 10,
    waitingMax: options.waitingMax ?? 1_000,
    pipelines: options.pipelines ?? 2,
    pendingMax: options.pendingMax ?? 1_000,
    namesMax: options.namedStatements === false ? 0 : (options.namesMax ?? 250),
    waitMs: connectTimeoutMs,
    silenceMs: options.silenceTimeoutMs ?? (statementTimeoutMs > 0 ? statementTimeoutMs + 1_000 : 0),
    onStatement: options.onStatement,
    onIdleError: (error) => options.onIdleError?.(error),
  });
}
