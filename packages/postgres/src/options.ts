import {
  type ConnectionTarget,
  pooledConnectionFactory,
  type SessionTimeouts,
} from './hosts/connection-factory.ts';
import { pipelineConnectionsMax } from './pipeline/pool.ts';
import type { OnStatement } from './types.ts';

/** Dedicated connections: for transactions and for statements that may write, one caller at a time. */
interface PoolOptions {
  /** Connections at most; 10 by default. */
  max?: number;
  /** Callers that wait for one of them at most; more get an `OverloadedError`; 1,000 by default. */
  waitingMax?: number;
  /** Closes a connection that is idle for longer; 10,000 ms by default, 0 keeps it open. */
  idleTimeoutMs?: number;
}

/** Pipelined connections: shared by read-only statements outside transactions. */
export interface PipelineOptions {
  /** The usual number of connections; 4 by default. Up to four more are open while slow statements hold some. */
  connections?: number;
  /** Statements waiting or in flight at most; more get an `OverloadedError`; 1,000 by default. */
  pendingMax?: number;
}

/** In milliseconds; 0 for no limit. `lockMs`, `idleTransactionMs` and `silenceMs` have no limit if `statementMs` has none. */
export interface TimeoutOptions extends Partial<SessionTimeouts> {
  /**
   * A connection with something in flight that is silent for longer is closed, and what is in flight fails with a
   * `ConnectionLostError`; one second more than `statementMs` by default. A statement that is allowed to run longer (`set
   * local statement_timeout`) needs a longer limit here too.
   */
  silenceMs?: number;
  /**
   * If something is in flight and nothing is received on any connection for longer, a probe is sent. If that gets no
   * response in the same time, all connections are closed and callers are rejected until the database responds. 1,000 by
   * default.
   */
  unresponsiveMs?: number;
}

export interface ConnectOptions {
  /** The address of PostgreSQL: a `postgres://` URL of one host or several, parameters, or the result of `resolveTarget`. */
  connection: ConnectionTarget;
  /** The name of the connections in `pg_stat_activity`. */
  applicationName?: string | undefined;
  pool?: PoolOptions;
  pipeline?: PipelineOptions;
  /**
   * Prepared statements on each connection at most; 250 by default. The least recently used is closed. Must be 0, which
   * disables them, behind a pooler that changes the connection between transactions and does not track prepared statements
   * (PgBouncer before 1.21, or with `max_prepared_statements` of 0).
   */
  preparedStatementsMax?: number;
  timeouts?: TimeoutOptions;
  /** Called for every statement that has ended; without its parameter values. */
  onStatement?: OnStatement;
  /** Called with errors of idle connections, which are replaced automatically. */
  onIdleError?: (error: Error) => void;
}

const POOL_DEFAULTS: Required<PoolOptions> = { max: 10, waitingMax: 1_000, idleTimeoutMs: 10_000 };
export const PIPELINE_DEFAULTS: Required<PipelineOptions> = { connections: 4, pendingMax: 1_000 };
const PREPARED_STATEMENTS_MAX = 250;

/** With the defaults for those that are not given. */
export function resolveTimeouts({
  statementMs = 5_000,
  ...timeouts
}: TimeoutOptions = {}): Required<TimeoutOptions> {
  const isLimited = statementMs > 0;
  return {
    connectMs: 3_000,
    lockMs: isLimited ? 3_000 : 0,
    idleTransactionMs: isLimited ? 10_000 : 0,
    silenceMs: isLimited ? statementMs + 1_000 : 0,
    unresponsiveMs: 1_000,
    ...timeouts,
    statementMs,
  };
}

/**
 * The options with all defaults applied.
 * @throws RangeError for fewer than one connection of a kind; TypeError for an invalid URL
 */
export function resolveOptions({ connection, applicationName, ...options }: ConnectOptions) {
  const pool = { ...POOL_DEFAULTS, ...options.pool };
  const pipeline = { ...PIPELINE_DEFAULTS, ...options.pipeline };
  if (!(pipeline.connections >= 1 && pool.max >= 1)) {
    throw new RangeError('At least one connection of each kind is required.');
  }
  const timeouts = resolveTimeouts(options.timeouts);
  return {
    factory: pooledConnectionFactory(connection, { applicationName, timeouts }),
    pool,
    pipeline,
    preparedStatementsMax: options.preparedStatementsMax ?? PREPARED_STATEMENTS_MAX,
    timeouts,
    onStatement: options.onStatement,
    onIdleError: (error: Error) => options.onIdleError?.(error),
  };
}

/** The largest number of connections that `connect` opens with these options. */
export function maxConnections(options: Pick<ConnectOptions, 'pool' | 'pipeline'>): number {
  const { max = POOL_DEFAULTS.max } = options.pool ?? {};
  const { connections = PIPELINE_DEFAULTS.connections } = options.pipeline ?? {};
  return max + pipelineConnectionsMax(connections);
}
