import type { CompiledQuery, QueryResult } from 'kysely';
import { Client, type ClientConfig } from 'pg';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { ConnectionLostError, OverloadedError, toStatementError } from './errors.ts';
import { failAll, type InFlight, runQuery } from './run-query.ts';
import { prepareSession, type SessionSettings } from './session.ts';

export interface PipelineOptions {
  config: ClientConfig;
  session: SessionSettings;
  breaker: CircuitBreaker;
  /** Connections at most. */
  connections: number;
  /** Statements in flight at most. */
  pendingMax: number;
  isPrepared: boolean;
  onIdleError: (error: Error) => void;
}

/** Statements in flight on every connection before another connection is opened. */
const DEPTH_BEFORE_NEXT = 8;

/**
 * Runs short reads on a few connections, which send without waiting for the results of those before (`pipeline` of
 * node-postgres). Each goes to the connection with the fewest in flight.
 */
export class Pipeline {
  readonly #options: PipelineOptions;
  readonly #connections = new Set<PipelinedConnection>();
  #pending = 0;
  #lost = 0;
  #isClosed = false;
  #onDrained: (() => void) | undefined;

  constructor(options: PipelineOptions) {
    this.#options = options;
    options.breaker.onUnresponsive((error) => {
      for (const connection of this.#connections) connection.abandon(error);
    });
  }

  /**
   * Runs a short read.
   * @throws OverloadedError at once if too many are pending; ConnectionLostError; the error of PostgreSQL
   */
  async run<Row>(query: CompiledQuery, isPrepared: boolean): Promise<QueryResult<Row>> {
    const { breaker, pendingMax } = this.#options;
    if (this.#isClosed) throw new Error('driver has already been destroyed');
    if (this.#pending >= pendingMax)
      throw new OverloadedError(`${this.#pending} statements are already waiting for the database.`);
    const connection = this.#leastBusy();
    this.#pending += 1;
    breaker.sent();
    try {
      return await connection.run<Row>(query, isPrepared && this.#options.isPrepared);
    } finally {
      breaker.ended();
      this.#pending -= 1;
      if (this.#pending === 0) this.#onDrained?.();
    }
  }

  counts() {
    return {
      /** Connections that are open or being opened. */
      pipelineOpen: this.#connections.size,
      /** Statements in flight. */
      pipelinePending: this.#pending,
      /** Connections that broke after they were open, since the start. */
      pipelineLost: this.#lost,
    };
  }

  /** Accepts no further statements, waits for those in flight, and closes the connections. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#pending > 0)
      await new Promise<void>((resolve) => {
        this.#onDrained = resolve;
      });
    await Promise.all([...this.#connections].map((connection) => connection.close()));
  }

  /** Throws if none is open and the circuit is. */
  #leastBusy(): PipelinedConnection {
    const { breaker, connections } = this.#options;
    let best: PipelinedConnection | undefined;
    for (const connection of this.#connections)
      if (best === undefined || connection.pending < best.pending) best = connection;
    if (best !== undefined && (best.pending < DEPTH_BEFORE_NEXT || this.#connections.size >= connections))
      return best;
    if (breaker.isOpen) {
      if (best === undefined) throw breaker.error();
      return best;
    }
    const opened = new PipelinedConnection(this.#options, (wasOpen, error) => {
      this.#connections.delete(opened);
      if (!wasOpen) return;
      this.#lost += 1;
      this.#options.onIdleError(error);
    });
    this.#connections.add(opened);
    return best ?? opened;
  }
}

/** A connection that opens when it is created, and takes statements from then on. */
class PipelinedConnection {
  readonly client: Client;
  readonly inFlight: InFlight = new Set();
  readonly #opened = Promise.withResolvers<void>();
  readonly #onLost: (wasOpen: boolean, error: Error) => void;
  #isOpen = false;
  #isEnded = false;
  /** Statements that wait for the connection to open, or are in flight. */
  pending = 0;

  /** @param onLost called once if it could not be opened or has broken */
  constructor(
    { config, session, breaker }: PipelineOptions,
    onLost: (wasOpen: boolean, error: Error) => void,
  ) {
    this.#onLost = onLost;
    this.client = new Client({ ...config, pipeline: true });
    this.client.on('error', (error) => this.abandon(toStatementError(error)));
    this.client.on('end', () =>
      this.abandon(new ConnectionLostError('The connection to the database was closed.')),
    );
    // Those that wait for it get its error.
    this.#opened.promise.catch(() => undefined);
    this.#open(session).catch((error: Error) => this.abandon(breaker.connectFailed(error)));
  }

  async #open(session: SessionSettings): Promise<void> {
    await this.client.connect();
    await prepareSession(this.client, session);
    this.#isOpen = true;
    this.#opened.resolve();
  }

  async run<Row>(query: CompiledQuery, isPrepared: boolean): Promise<QueryResult<Row>> {
    this.pending += 1;
    try {
      if (!this.#isOpen) await this.#opened.promise;
      return await runQuery<Row>(this, query, isPrepared);
    } catch (error) {
      if (error instanceof ConnectionLostError) this.abandon(error);
      throw error;
    } finally {
      this.pending -= 1;
    }
  }

  /** Fails what is in flight, and closes the connection. */
  abandon(why: Error): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#opened.reject(why);
    failAll(this.inFlight, why);
    this.#onLost(this.#isOpen, why);
    this.client.end().catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.#opened.promise.catch(() => undefined);
    this.#isEnded = true;
    await this.client.end();
  }
}
