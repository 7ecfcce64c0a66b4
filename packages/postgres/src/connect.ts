import type { Kysely } from 'kysely';
import { createKysely } from './create-kysely.ts';
import { type ConnectionCounts, RoutingExecutor } from './executor.ts';
import { type ConnectionTarget, pooledConnectionFactory } from './hosts/connection-factory.ts';
import { pipelineConnectionsMax } from './pipeline/pool.ts';
import type { OnStatement } from './types.ts';

export interface ConnectOptions {
  /** Where PostgreSQL is: a `postgres://` URL of one host or several, parameters, or the result of `sharedPlace`. */
  connection: ConnectionTarget;
  /** Connections for transactions and for statements that may write, one caller each; 10 by default. */
  connectionsMax?: number;
  /** Callers that wait for one of them at most; more get an `OverloadedError`; 1,000 by default. */
  waitingMax?: number;
  /**
   * Connections that read-only statements outside transactions share, sent without waiting for the results of those
   * before; 4 by default. Up to four more are open while slow statements hold some.
   */
  pipelines?: number;
  /** Such statements at most, waiting and in flight; more get an `OverloadedError`; 1,000 by default. */
  pendingMax?: number;
  /**
   * Whether to use prepared statements; true by default. Must be false behind a pooler that changes the connection between
   * transactions and does not track prepared statements (PgBouncer before 1.21, or with `max_prepared_statements` of 0).
   */
  namedStatements?: boolean;
  /** Prepared statements on each connection at most; the least recently used is closed; 250 by default. */
  namesMax?: number;
  /** PostgreSQL cancels a statement that runs longer; 5,000 ms by default, 0 for no limit. */
  statementTimeoutMs?: number;
  /**
   * PostgreSQL cancels a statement that waits longer for a lock; 3,000 ms by default, or no limit if statements have none;
   * 0 for no limit.
   */
  lockTimeoutMs?: number;
  /**
   * PostgreSQL ends a session that is idle for longer within a transaction, because others may wait for its locks; 10,000
   * ms by default, or no limit if statements have none.
   */
  idleTransactionTimeoutMs?: number;
  /** How long to wait for a connection, new or free; 3,000 ms by default. */
  connectTimeoutMs?: number;
  /** Closes a dedicated connection that is idle for longer; 10,000 ms by default, 0 keeps it open. */
  idleTimeoutMs?: number;
  /**
   * How long something may be in flight without a response on any connection before a probe is sent; if the probe gets no
   * response in the same time, all connections are closed and callers are rejected until the database responds. 1,000 ms
   * by default.
   */
  patienceMs?: number;
  /**
   * How long a connection with something in flight may be silent before it is closed and what is in flight fails with a
   * `ConnectionLostError`; one second more than `statementTimeoutMs` by default, or no limit if that has none. A statement
   * that is allowed to run longer (`set local statement_timeout`) needs a longer limit here too.
   */
  silenceTimeoutMs?: number;
  /** Called for every statement that has ended; without its parameter values. */
  onStatement?: OnStatement;
  /** Called with errors of idle connections, which are replaced automatically. */
  onIdleError?: (error: Error) => void;
}

export const LOCK_TIMEOUT_MS = 3_000;
export const IDLE_TRANSACTION_TIMEOUT_MS = 10_000;
const CONNECTIONS_MAX = 10;
export const PIPELINES = 4;

/** How many connections `connect` may have open at once with these options. */
export function connectionsAtMost({
  connectionsMax = CONNECTIONS_MAX,
  pipelines = PIPELINES,
}: Pick<ConnectOptions, 'connectionsMax' | 'pipelines'>): number {
  return connectionsMax + pipelineConnectionsMax(pipelines);
}

/**
 * A Kysely over connections to PostgreSQL, which are opened when they are needed. `destroy()` waits for what is in
 * progress and closes them.
 *
 * Statements fail with a `ConnectionLostError` if the connection breaks or none can be opened, and with an
 * `OverloadedError` if too many are waiting or PostgreSQL accepts no more connections. A read-only statement outside
 * transactions is sent again, once, if its connection breaks; one that may write never is. Raw SQL counts as a write unless
 * it was compiled as a read (`prepared`).
 *
 * Aborting a statement (`signal`) removes it from the queue or drops its result. Statements in a transaction, writes, and
 * statements with `inflightQueryAbortStrategy: 'cancel query'` are cancelled on the server.
 *
 * @throws RangeError for fewer than one connection of a kind; TypeError for an invalid URL
 */
export function connect<Tables>(options: ConnectOptions): Kysely<Tables> {
  const {
    connection,
    statementTimeoutMs: statementMs = 5_000,
    connectTimeoutMs: connectMs = 3_000,
  } = options;
  const isBounded = statementMs > 0;
  const timeouts = {
    statementMs,
    connectMs,
    lockMs: options.lockTimeoutMs ?? (isBounded ? LOCK_TIMEOUT_MS : 0),
    idleTransactionMs: options.idleTransactionTimeoutMs ?? (isBounded ? IDLE_TRANSACTION_TIMEOUT_MS : 0),
    silenceMs: options.silenceTimeoutMs ?? (isBounded ? statementMs + 1_000 : 0),
    unresponsiveMs: options.patienceMs ?? 1_000,
  };
  return createKysely<Tables>({
    factory: pooledConnectionFactory(connection, { applicationName: 'roster', timeouts }),
    pool: {
      max: options.connectionsMax ?? CONNECTIONS_MAX,
      waitingMax: options.waitingMax ?? 1_000,
      idleTimeoutMs: options.idleTimeoutMs ?? 10_000,
    },
    pipeline: {
      connections: options.pipelines ?? PIPELINES,
      pendingMax: options.pendingMax ?? 1_000,
    },
    preparedStatementsMax: options.namedStatements === false ? 0 : (options.namesMax ?? 250),
    timeouts,
    onStatement: options.onStatement,
    onIdleError: (error) => options.onIdleError?.(error),
  });
}

/**
 * The state of the connections of a database that was opened by `connect`.
 * @throws TypeError for any other
 */
export function connectionCounts<Tables>(db: Kysely<Tables>): ConnectionCounts {
  const executor = db.getExecutor();
  if (executor instanceof RoutingExecutor) return executor.counts();
  throw new TypeError('This database was not opened by connect.');
}
