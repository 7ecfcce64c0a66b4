import { CompiledQuery, type DatabaseConnection, PostgresDriver, type QueryResult } from 'kysely';
import { Pool, type PoolClient } from 'pg';
import { ConnectionLostError, OverloadedError } from './errors.ts';
import { prepareSession, Session, type SharedOptions } from './session.ts';

export interface PoolOptions extends SharedOptions {
  /** Connections at most. */
  max: number;
  /** Callers that wait for one of them at most. */
  waitingMax: number;
  /** Closes a connection that is idle for longer, in milliseconds; 0 keeps it open. */
  idleTimeoutMs: number;
  /** Called when the driver is destroyed. */
  onDestroy: () => Promise<void>;
}

/** Kysely's driver on the pool of node-postgres, with a bounded queue, and with rejection while the circuit is open. */
export class PooledDriver extends PostgresDriver {
  readonly #options: PoolOptions;
  #pool: Pool;
  #isDestroyed = false;
  #busy = 0;
  #lost = 0;

  constructor(options: PoolOptions) {
    super({ pool: () => Promise.reject(new Error('Connections come from acquireConnection.')) });
    this.#options = options;
    this.#pool = this.#createPool();
    options.breaker.onUnresponsive(() => {
      // Connections that are being opened would hold their places until they time out.
      this.#pool.end().catch(() => undefined);
      this.#pool = this.#createPool();
    });
  }

  #createPool(): Pool {
    const { config, settings, max, idleTimeoutMs: idleTimeoutMillis } = this.#options;
    const onConnect = (client: Parameters<typeof prepareSession>[0]) => prepareSession(client, settings);
    const pool = new Pool({ ...config, max, idleTimeoutMillis, onConnect });
    pool.on('connect', (client) => {
      client.once('error', () => {
        this.#lost += 1;
      });
      // The pool does not listen while a connection is in use. Its statement fails, so the error is not lost.
      client.on('error', () => undefined);
    });
    // Without a listener, the error of an idle connection would end the process.
    pool.on('error', () => undefined);
    return pool;
  }

  /** Opens nothing: connections are opened when they are needed. */
  override async init(): Promise<void> {}

  /**
   * Waits for a connection.
   * @throws OverloadedError at once if the queue is full, or after the time to connect; ConnectionLostError if none could be
   *   opened, at once while the circuit is open
   */
  override async acquireConnection(): Promise<PooledConnection> {
    const { breaker, max, waitingMax } = this.#options;
    if (this.#isDestroyed) throw new Error('driver has already been destroyed');
    if (this.#pool.idleCount === 0) {
      if (breaker.isOpen) throw breaker.error();
      if (this.#pool.waitingCount >= waitingMax)
        throw new OverloadedError(`${this.#pool.waitingCount} callers are already waiting for a connection.`);
    }
    const isFull = this.#pool.totalCount >= max;
    try {
      const connection = new PooledConnection(await this.#take(), this.#options);
      this.#busy += 1;
      return connection;
    } catch (error) {
      if (error instanceof ConnectionLostError) throw error;
      // A full pool opens no connection for its caller.
      if (isFull && this.#busy > 0 && !breaker.isOpen)
        throw new OverloadedError('No connection to the database became free in time.', { cause: error });
      throw breaker.connectFailed(error as Error);
    }
  }

  /** Takes a connection of the pool. A caller that is failed meanwhile leaves at once, and the pool keeps the connection. */
  #take(): Promise<PoolClient> {
    const { breaker } = this.#options;
    return new Promise((resolve, reject) => {
      let isFailed = false;
      const fail = (why: Error) => {
        isFailed = true;
        reject(why);
      };
      breaker.sent(fail);
      this.#pool
        .connect()
        .then((client) => (isFailed ? client.release() : resolve(client)), reject)
        .finally(() => breaker.ended(fail));
    });
  }

  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    if (!(connection instanceof PooledConnection)) return;
    this.#busy -= 1;
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

  /** Has no effect if it was called before. */
  override async destroy(): Promise<void> {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    await Promise.all([this.#pool.end(), this.#options.onDestroy()]);
    this.#options.breaker.destroy();
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
export class PooledConnection extends Session<PoolClient> implements DatabaseConnection {
  #isDiscarded = false;
  #isReleased = false;

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.run<Row>(query, true);
  }

  /** Closes it when it is released. */
  override discard(): void {
    this.#isDiscarded = true;
  }

  /** Closes it at once. What is in flight fails, and PostgreSQL ends it. */
  close(): void {
    this.discard();
    this.release();
  }

  /** Returns it to the pool, once. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.client.release(this.#isDiscarded);
  }

  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    yield Promise.reject(new Error('Results are not streamed: read large tables in pages.'));
  }
}
