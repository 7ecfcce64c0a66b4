import type { CompiledQuery, QueryResult } from 'kysely';
import { Client } from 'pg';
import { prepareSession, Session, type SharedOptions } from './session.ts';

export interface PipelineOptions extends SharedOptions {
  /** Connections at most. */
  connections: number;
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
  #lost = 0;
  #isClosed = false;

  constructor(options: PipelineOptions) {
    this.#options = options;
    options.breaker.onUnresponsive(() => {
      for (const connection of this.#connections) connection.discard();
    });
  }

  /**
   * Runs a short read.
   * @throws ConnectionLostError; the error of PostgreSQL
   */
  async run<Row>(query: CompiledQuery, isPrepared: boolean): Promise<QueryResult<Row>> {
    if (this.#isClosed) throw new Error('driver has already been destroyed');
    return this.#leastBusy().run<Row>(query, isPrepared);
  }

  counts() {
    return {
      /** Connections that are open or being opened. */
      pipelineOpen: this.#connections.size,
      /** Statements in flight. */
      pipelinePending: [...this.#connections].reduce((sum, { pending }) => sum + pending, 0),
      /** Connections that broke after they were open, since the start. */
      pipelineLost: this.#lost,
    };
  }

  /** Accepts no further statements, waits for those in flight, and closes the connections. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#connections].map((connection) => connection.close()));
  }

  /** Throws if none is open and the circuit is. */
  #leastBusy(): PipelinedConnection {
    const { breaker, connections } = this.#options;
    let best: PipelinedConnection | undefined;
    for (const connection of this.#connections)
      if (best === undefined || connection.pending < best.pending) best = connection;
    const isNextDue = best === undefined || best.pending >= DEPTH_BEFORE_NEXT;
    if (isNextDue && this.#connections.size < connections && !breaker.isOpen) {
      const opened = new PipelinedConnection(this.#options, (wasOpen) => {
        this.#connections.delete(opened);
        if (wasOpen && !this.#isClosed) this.#lost += 1;
      });
      this.#connections.add(opened);
      best ??= opened;
    }
    if (best === undefined) throw breaker.error();
    return best;
  }
}

/** A connection that opens when it is created. What it is given meanwhile is sent then, after the settings of the session. */
class PipelinedConnection extends Session<Client> {
  readonly #onEnd: (wasOpen: boolean) => void;
  #isOpen = false;
  #isEnded = false;
  /** Statements that wait for the connection to open, or are in flight. */
  pending = 0;

  /** @param onEnd called once when it could not be opened, has broken or was closed */
  constructor(options: PipelineOptions, onEnd: (wasOpen: boolean) => void) {
    super(new Client({ ...options.config, pipeline: true }), options);
    this.#onEnd = onEnd;
    this.client.on('error', () => this.discard());
    this.client.on('end', () => this.discard());
    const { breaker, settings } = options;
    Promise.all([this.client.connect(), prepareSession(this.client, settings)]).then(
      () => {
        this.#isOpen = true;
      },
      (error) => {
        breaker.connectFailed(error);
        this.discard();
      },
    );
  }

  override async run<Row>(query: CompiledQuery, isPrepared: boolean): Promise<QueryResult<Row>> {
    this.pending += 1;
    try {
      return await super.run<Row>(query, isPrepared);
    } finally {
      this.pending -= 1;
    }
  }

  override discard(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#onEnd(this.#isOpen);
    this.client.end().catch(() => undefined);
  }

  /** Closes it when what was sent has been answered. */
  close(): Promise<void> {
    return this.client.end();
  }
}
