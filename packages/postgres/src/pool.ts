import { CompiledQuery, type DatabaseConnection, PostgresDriver } from 'kysely';
import { type ClientBase, Pool, type PoolClient } from 'pg';
import type { Lane } from './compiled-query.ts';
import { ConnectionLostError, OverloadedError } from './errors.ts';
import { Pipeline, type SharedSession } from './pipeline.ts';
import { type DriverOptions, prepareSession, Session } from './session.ts';
import { SHORT_LOCK_MS, SharedCommits } from './shared-commits.ts';

/** A connection that serves one caller at a time. */
class PooledSession extends Session<PoolClient> {
  #isReleased = false;

  /** Returns it to the pool, or closes it if it is lost; once. */
  release(): void {
    if (!this.#isReleased) this.client.release(this.isLost);
    this.#isReleased = true;
  }

  /** Closes it at once, and returns true. What is in flight fails, and PostgreSQL ends it. */
  close(): true {
    this.isLost = true;
    this.release();
    return true;
  }
}

/**
 * Kysely's driver on the pool of node-postgres, with a bounded queue, and with rejection while the circuit is open; beside it the
 * connections that short statements share.
 */
export class PooledDriver extends PostgresDriver {
  /** The connections of each kind of short statement, so that none waits behind one of another kind. */
  readonly lanes: Readonly<Record<Lane, Pipeline>>;
  readonly commits: SharedCommits;
  readonly #options: DriverOptions;
  /** One connection that ends statements, however busy the others are. */
  readonly #terminator: Pool;
  #pool: Pool;
  #destroyed: Promise<unknown> | undefined;
  #lost = 0;

  constructor(options: DriverOptions) {
    super({ pool: () => Promise.reject(new Error('Connections come from acquireConnection.')) });
    this.#options = options;
    this.lanes = {
      keys: new Pipeline(options),
      pages: new Pipeline(options, { hasPages: true }),
      changes: new Pipeline(options, { settings: { lock_timeout: SHORT_LOCK_MS } }),
    };
    this.commits = new SharedCommits(this.lanes.changes);
    this.#terminator = new Pool({ ...options.config, max: 1 }).on('error', () => undefined);
    this.#pool = this.#createPool();
    options.breaker.on('unresponsive', () => {
      // Connections that are being opened would hold their places until they time out.
      this.#pool.end().catch(() => undefined);
      this.#pool = this.#createPool();
    });
  }

  #createPool(): Pool {
    const { config, settings, max, idleTimeoutMs: idleTimeoutMillis } = this.#options;
    const onConnect = async (client: ClientBase) => void (await prepareSession(client, settings));
    const pool = new Pool({ ...config, max, idleTimeoutMillis, onConnect });
    pool.on('connect', (client) => {
      client.once('error', () => {
        this.#lost += 1;
      });
      // The pool does not listen while a connection is in use. Its statement fails, so the error is not lost.
      client.on('error', () => undefined);
    });
    // Without a listener, the error of an idle connection would end the process.
    return pool.on('error', () => undefined);
  }

  /**
   * Waits for a connection.
   * @throws OverloadedError at once if the queue is full, or after the time to connect; ConnectionLostError if none could be
   *   opened, at once while the circuit is open
   */
  override async acquireConnection(): Promise<PooledSession> {
    const { breaker, max, waitingMax } = this.#options;
    const pool = this.#pool;
    if (this.#destroyed !== undefined) throw new Error('driver has already been destroyed');
    if (pool.idleCount === 0) {
      if (breaker.isOpen) throw breaker.error();
      if (pool.waitingCount >= waitingMax)
        throw new OverloadedError(`${pool.waitingCount} statements already wait for a connection.`);
    }
    const isFull = pool.totalCount >= max;
    let isWaiting = true;
    try {
      const client = await breaker.waitFor<PoolClient>((done) =>
        pool.connect((error, opened) => {
          // The pool keeps a connection for which nobody waits any more.
          if (isWaiting) done(error, opened);
          else opened?.release();
        }),
      );
      return new PooledSession(client, this.#options);
    } catch (error) {
      isWaiting = false;
      if (error instanceof ConnectionLostError) throw error;
      // A full pool opens no connection for its caller.
      if (isFull && !breaker.isOpen)
        throw new OverloadedError('No connection to the database became free in time.', { cause: error });
      throw breaker.connectFailed(error as Error);
    }
  }

  /**
   * Ends a shared session on the server, with what it runs, and returns true. Its other statements fail as if the connection broke. If it
   * cannot be ended, its statement ends after the time limit.
   */
  terminate(shared: SharedSession): true {
    shared.close();
    this.#terminator.query('select pg_terminate_backend($1)', [shared.pid]).catch(() => undefined);
    return true;
  }

  override async releaseConnection(session: DatabaseConnection): Promise<void> {
    if (session instanceof PooledSession) session.release();
  }

  /** A transaction that cannot be rolled back ends with its connection; the caller should see what broke it. */
  override async rollbackTransaction(session: DatabaseConnection): Promise<void> {
    await session.executeQuery(CompiledQuery.raw('rollback')).catch(() => {
      if (session instanceof PooledSession) session.isLost = true;
    });
  }

  /** Has no effect if it was called before. */
  override async destroy(): Promise<void> {
    const pipelines = Object.values(this.lanes).map((lane) => lane.close());
    this.#destroyed ??= Promise.all([this.#pool.end(), this.#terminator.end(), ...pipelines]);
    await this.#destroyed;
    this.#options.breaker.destroy();
  }

  counts() {
    const { idleCount, totalCount, waitingCount } = this.#pool;
    const lanes = Object.values(this.lanes).map((lane) => lane.counts());
    const sumOf = (name: 'open' | 'pending' | 'lost') => lanes.reduce((sum, counts) => sum + counts[name], 0);
    return {
      /** Open connections that nothing uses. */
      dedicatedIdle: idleCount,
      /** Open connections that a statement or a transaction uses, or that are being opened. */
      dedicatedBusy: totalCount - idleCount,
      /** Callers that wait for a connection. */
      dedicatedWaiting: waitingCount,
      /** Connections that broke after they were open, since the start. */
      dedicatedLost: this.#lost,
      /** Shared connections that are open or being opened. */
      pipelineOpen: sumOf('open'),
      /** Statements in flight on them. */
      pipelinePending: sumOf('pending'),
      /** Those that broke after they were open, since the start. */
      pipelineLost: sumOf('lost'),
    };
  }
}
