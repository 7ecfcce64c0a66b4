import { type Dialect, type Kysely, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { CallerLimit } from './caller-limit.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { RoutingExecutor } from './executor.ts';
import { PollingMigrationLock } from './migration-lock.ts';
import { DEPTH_BEFORE_NEXT } from './pipeline.ts';
import { PooledDriver } from './pool.ts';
import type { OnStatement } from './session.ts';
import { type ConnectionTarget, clientConfig } from './target.ts';

/** In milliseconds; 0 for no limit. `lockMs`, `idleTransactionMs` and `silenceMs` have no limit if `statementMs` has none. */
interface TimeoutOptions {
  /** The longest wait for a connection, new or free, and before it for the turn of the caller; 3,000 by default. */
  connectMs?: number;
  /** PostgreSQL cancels a statement that runs longer; 5,000 by default. */
  statementMs?: number;
  /** PostgreSQL cancels a statement that waits longer for a lock; 3,000 by default. */
  lockMs?: number;
  /** PostgreSQL ends a session that is idle in a transaction for longer, because it may hold locks; 10,000 by default. */
  idleTransactionMs?: number;
  /**
   * A statement without a response for longer fails with a `ConnectionLostError`; one second more than `statementMs` by
   * default. A statement that is allowed to run longer (`set local statement_timeout`) needs a longer limit here too.
   */
  silenceMs?: number;
  /**
   * If something is in flight and no response arrives for longer, a probe is sent. If that gets no response in the same time,
   * everything in flight fails, and callers are rejected until the database responds. 1,000 by default.
   */
  unresponsiveMs?: number;
}

export interface ConnectOptions {
  connection: ConnectionTarget;
  /** The name of the connections in `pg_stat_activity`. */
  applicationName?: string | undefined;
  pool?: {
    /** Connections at most; 10 by default. */
    max?: number;
    /** Callers that wait for one of them at most; more get an `OverloadedError`; 1,000 by default. */
    waitingMax?: number;
    /** Closes a connection that is idle for longer; 10,000 ms by default, 0 keeps it open. */
    idleTimeoutMs?: number;
  };
  /** The connections that short statements share: reads by a key, pages of lists, and changes of a record. */
  pipeline?: {
    /** Connections of each of the three at most; 4 by default. */
    connections?: number;
  };
  timeouts?: TimeoutOptions;
  /** Called for every statement that has ended; without its parameter values. */
  onStatement?: OnStatement;
}

const POOL_MAX = 10;
const PIPELINE_CONNECTIONS = 4;
const LOCK_MS = 3_000;
const IDLE_TRANSACTION_MS = 10_000;
const WAITING_MAX = 1_000;
const IDLE_TIMEOUT_MS = 10_000;

/**
 * A Kysely over connections to PostgreSQL, which are opened when they are needed. `destroy()` waits for what is in
 * progress and closes them.
 *
 * Statements fail with a `ConnectionLostError` if the connection breaks or none can be opened, and with an
 * `OverloadedError` if too many are waiting or PostgreSQL accepts no more connections. A read-only statement outside
 * transactions is sent again, once, if its connection breaks; one that may write never is. Raw SQL counts as a write unless
 * it was compiled with the hint `isReadOnly` (`compileOnce`).
 *
 * @throws RangeError for fewer than one connection of a kind
 */
export function connect<Tables>(options: ConnectOptions): Kysely<Tables> {
  const { statementMs = 5_000, ...timeouts } = options.timeouts ?? {};
  const isLimited = statementMs > 0;
  const config = {
    ...clientConfig(options.connection, options.applicationName),
    connectionTimeoutMillis: timeouts.connectMs ?? 3_000,
    query_timeout: timeouts.silenceMs ?? (isLimited ? statementMs + 1_000 : 0),
    keepAlive: true,
  };
  const settings = {
    statement_timeout: statementMs,
    lock_timeout: timeouts.lockMs ?? (isLimited ? LOCK_MS : 0),
    idle_in_transaction_session_timeout: timeouts.idleTransactionMs ?? (isLimited ? IDLE_TRANSACTION_MS : 0),
  };
  const { max = POOL_MAX, waitingMax = WAITING_MAX, idleTimeoutMs = IDLE_TIMEOUT_MS } = options.pool ?? {};
  const { connections: pipelined = PIPELINE_CONNECTIONS } = options.pipeline ?? {};
  if (!(pipelined >= 1 && max >= 1))
    throw new RangeError('At least one connection of each kind is required.');
  const breaker = new CircuitBreaker(config, timeouts.unresponsiveMs ?? 1_000);
  const limits = { max, waitingMax, idleTimeoutMs, pipelined };
  const driver = new PooledDriver({ ...limits, config, settings, breaker, onStatement: options.onStatement });
  const compiler = new PostgresQueryCompiler();
  const adapter = new PollingMigrationLock();
  const dialect: Dialect = {
    createDriver: () => driver,
    createQueryCompiler: () => compiler,
    createAdapter: () => adapter,
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
  const callerLimit = new CallerLimit(max, config.connectionTimeoutMillis);
  const pageLimit = new CallerLimit(pipelined * DEPTH_BEFORE_NEXT, config.connectionTimeoutMillis);
  return new RoutingExecutor({ dialect, driver, callerLimit, pageLimit }).database<Tables>();
}

/**
 * The same database on behalf of one client, which may disconnect before the response. Its reads outside transactions
 * are then cancelled, on the server too. Writes, and everything in a transaction, continue: it would be unknown whether they
 * were committed.
 *
 * @param isDisconnected asked before a read is sent, and every 25 ms while one is in progress
 * @param caller identifies the client: it holds at most half of the connections of the pool, and not the last two free ones if it
 *   holds any
 * @returns `db` itself if it was not opened by `connect`
 */
export function withDisconnectCheck<Tables>(
  db: Kysely<Tables>,
  isDisconnected: () => boolean,
  caller?: string,
): Kysely<Tables> {
  const executor = db.getExecutor();
  return executor instanceof RoutingExecutor ? executor.database({ isDisconnected, id: caller }) : db;
}

/**
 * The state of the connections of a database that was opened by `connect`.
 * @throws TypeError for any other
 */
export function connectionCounts<Tables>(db: Kysely<Tables>) {
  const executor = db.getExecutor();
  if (executor instanceof RoutingExecutor) return executor.driver.counts();
  throw new TypeError('This database was not opened by connect.');
}

/** The largest number of connections that `connect` opens with these options. */
export function maxConnections({ pool, pipeline }: Pick<ConnectOptions, 'pool' | 'pipeline'>): number {
  const lanes = 3;
  const terminator = 1;
  return terminator + (pool?.max ?? POOL_MAX) + lanes * (pipeline?.connections ?? PIPELINE_CONNECTIONS);
}
