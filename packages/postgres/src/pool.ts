import {
  type AbortableOperationOptions,
  CompiledQuery,
  type DatabaseConnection,
  PostgresDriver,
  type QueryResult,
} from 'kysely';
import { type ClientConfig, Pool, type PoolClient } from 'pg';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { ConnectionLostError, OverloadedError, toStatementError } from './errors.ts';
import { failAll, type InFlight, runQuery } from './run-query.ts';
import { prepareSession, type SessionSettings } from './session.ts';
import type { OnStatement } from './statement.ts';

export interface PoolOptions {
  config: ClientConfig;
  session: SessionSettings;
  breaker: CircuitBreaker;
  /** Connections at most. */
  max: number;
  /** Callers that wait for one of them at most. */
  waitingMax: number;
  /** The longest wait for a connection, in milliseconds. */
  waitMs: number;
  /** Closes a connection that is idle for longer, in milliseconds; 0 keeps it open. */
  idleTimeoutMs: number;
  isPrepared: boolean;
  onStatement: OnStatement | undefined;
  onIdleError: (error: Error) => void;
  /** Called when the driver is destroyed. */
  onDestroy: () => Promise<void>;
}

/** Kysely's driver on the pool of node-postgres, with a bounded queue, and with rejection while the circuit is open. */
export class PooledDriver extends PostgresDriver {
  readonly #options: PoolOptions;
  readonly #busy = new Set<PooledConnection>();
  /** The callers that wait for a connection, each as the function that fails it. */
  readonly #waiting: InFlight = new Set();
  #pool: Pool;
  #isDestroyed = false;
  #lost = 0;

  constructor(options: PoolOptions) {
    super({ pool: () => Promise.reject(new Error('Connections come from acquireConnection.')) });
    this.#options = options;
    this.#pool = this.#createPool();
    options.breaker.onUnresponsive((error) => {
      // Its connections are dead, and those that are being opened would hold their places until they time out.
      this.#pool.end().catch(() => undefined);
      this.#pool = this.#createPool();
      failAll(this.#waiting, error);
      for (const connection of this.#busy) connection.abandon(error);
    });
  }

  #createPool(): Pool {
    const { config, session, max, waitMs, idleTimeoutMs, onIdleError } = this.#options;
    const pool = new Pool({
      ...config,
      max,
      connectionTimeoutMillis: waitMs,
      idleTimeoutMillis: idleTimeoutMs,
      onConnect: (client) => prepareSession(client, session),
    });
    pool.on('connect', (client) => {
      client.once('error', () => {
        this.#lost += 1;
      });
      // The pool does not listen while a connection is in use. Its statement fails, so the error is not lost.
      client.on('error', () => undefined);
    });
    // Without a listener, the error of an idle connection would end the process.
    pool.on('error', (error) => onIdleError(toStatementError(error)));
    return pool;
  }

  /** Opens nothing: connections are opened when they are needed. */
  override async init(): Promise<void> {}

  /**
   * Waits for a connection.
   * @throws OverloadedError at once if the queue is full, or after `waitMs`; ConnectionLostError if none could be opened, at
   *   once while the circuit is open; the reason of the signal
   */
  override async acquireConnection({ signal }: AbortableOperationOptions = {}): Promise<PooledConnection> {
    const { breaker, max, waitingMax } = this.#options;
    if (this.#isDestroyed) throw new Error('driver has already been destroyed');
    signal?.throwIfAborted();
    if (this.#pool.idleCount === 0) {
      if (breaker.isOpen) throw breaker.error();
      if (this.#pool.waitingCount >= waitingMax)
        throw new OverloadedError(`${this.#pool.waitingCount} callers are already waiting for a connection.`);
    }
    const isFull = this.#pool.totalCount >= max;
    breaker.sent();
    try {
      const connection = new PooledConnection(await this.#take(), this.#options);
      this.#busy.add(connection);
      return connection;
    } catch (error) {
      if (error instanceof ConnectionLostError) throw error;
      // A full pool opens no connection for its caller.
      if (isFull && this.#busy.size > 0 && !breaker.isOpen)
        throw new OverloadedError('No connection to the database became free in time.', { cause: error });
      throw breaker.connectFailed(error as Error);
    } finally {
      breaker.ended();
    }
  }

  /** Takes a connection of the pool. A caller that is failed meanwhile leaves at once, and the pool keeps the connection. */
  #take(): Promise<PoolClient> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      this.#pool.connect().then(
        (client) => {
          if (this.#waiting.delete(reject)) resolve(client);
          else client.release();
        },
        (error) => {
          this.#waiting.delete(reject);
          reject(error);
        },
      );
    });
  }

  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    if (!(connection instanceof PooledConnection)) return;
    this.#busy.delete(connection);
    connection.release();
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await connection.executeQuery(CompiledQuery.raw('rollback'));
    } catch (error) {
      if (connection instanceof PooledConnection) connection.discard();
      // The transaction ended with its connection. The caller should see the error that broke it, not this one.
      if (!(error instanceof ConnectionLostError)) throw error;
    }
  }

  override async destroy(): Promise<void> {
    this.#isDestroyed = true;
    await Promise.all([this.#pool.end(), this.#options.onDestroy()]);
    await this.#options.breaker.destroy();
  }

  counts() {
    const { idleCount, totalCount, waitingCount } = this.#pool;
    return {
      /** Open connections that nothing uses. */
      dedicatedIdle: idleCount,
      /** Open connections that a statement or a transaction uses, or that are being opened. */
      dedicatedBusy: totalCount - idleCount,
      /** Callers that wait for a connection. */
      dedicatedWaiting: waitingCount,
      /** Connections that broke after they were open, since the start. */
      dedicatedLost: this.#lost,
      /** Whether connections cannot be opened, so that callers that need one are rejected. */
      isCircuitOpen: this.#options.breaker.isOpen,
    };
  }
}

/** A connection that serves one caller at a time. */
export class PooledConnection implements DatabaseConnection {
  readonly client: PoolClient;
  readonly inFlight: InFlight = new Set();
  readonly #options: PoolOptions;
  #isDiscarded = false;

  constructor(client: PoolClient, options: PoolOptions) {
    this.client = client;
    this.#options = options;
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.run<Row>(query, true);
  }

  /** Runs a query, with a prepared statement if `compileOnce` has compiled it and `isPrepared` is true. */
  async run<Row>(query: CompiledQuery, isPrepared: boolean): Promise<QueryResult<Row>> {
    const { breaker, onStatement } = this.#options;
    const startedMs = performance.now();
    breaker.sent();
    try {
      const result = await runQuery<Row>(this, query, isPrepared && this.#options.isPrepared);
      onStatement?.({ sql: query.sql, durationMs: performance.now() - startedMs });
      return result;
    } catch (error) {
      if (error instanceof ConnectionLostError) this.discard();
      onStatement?.({ sql: query.sql, durationMs: performance.now() - startedMs, error: error as Error });
      throw error;
    } finally {
      breaker.ended();
    }
  }

  /** Fails what is in flight, whose answer nobody waits for, and closes the connection: PostgreSQL then ends the statement. */
  abandon(why: Error): void {
    this.discard();
    failAll(this.inFlight, why);
  }

  /** Closes the connection when it is released. */
  discard(): void {
    this.#isDiscarded = true;
  }

  release(): void {
    this.client.release(this.#isDiscarded);
  }

  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    yield Promise.reject(new Error('Results are not streamed: read large tables in pages.'));
  }
}
