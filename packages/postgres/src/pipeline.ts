import type { CompiledQuery, QueryResult } from 'kysely';
import { Client } from 'pg';
import { type DriverOptions, prepareSession, Session } from './session.ts';

/** Statements in flight on every connection before another connection is opened. */
const DEPTH_BEFORE_NEXT = 8;

/**
 * Runs short reads on a few connections, which send without waiting for the results of those before (`pipeline` of
 * node-postgres). Each goes to the connection with the fewest in flight.
 */
export class Pipeline {
  readonly #options: DriverOptions;
  /** The connections that are open or being opened, each with the function that closes it. */
  readonly #sessions = new Map<Session<Client>, () => void>();
  #lost = 0;
  #isClosed = false;

  constructor(options: DriverOptions) {
    this.#options = options;
    options.breaker.on('unresponsive', () => {
      for (const close of this.#sessions.values()) close();
    });
  }

  /**
   * Runs a short read.
   * @throws ConnectionLostError; the error of PostgreSQL
   */
  async run<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#isClosed) throw new Error('driver has already been destroyed');
    return this.#leastBusy().executeQuery<Row>(query);
  }

  counts() {
    return {
      /** Connections that are open or being opened. */
      pipelineOpen: this.#sessions.size,
      /** Statements in flight. */
      pipelinePending: [...this.#sessions.keys()].reduce((sum, { pending }) => sum + pending, 0),
      /** Connections that broke after they were open, since the start. */
      pipelineLost: this.#lost,
    };
  }

  /** Accepts no further statements, waits for those in flight, and closes the connections. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#sessions.keys()].map(({ client }) => client.end()));
  }

  /** Throws if none is open and the circuit is. */
  #leastBusy(): Session {
    const { breaker, pipelined } = this.#options;
    let best: Session | undefined;
    for (const session of this.#sessions.keys())
      if (best === undefined || session.pending < best.pending) best = session;
    const isNextDue = best === undefined || best.pending >= DEPTH_BEFORE_NEXT;
    if (isNextDue && this.#sessions.size < pipelined && !breaker.isOpen) {
      const opened = this.#open();
      best ??= opened;
    }
    if (best === undefined) throw breaker.error();
    return best;
  }

  /** Opens a connection. What it is given meanwhile is sent when it is open, after the settings of the session. */
  #open(): Session {
    const { config, settings, breaker } = this.#options;
    const client = new Client({ ...config, pipeline: true });
    let isOpen = false;
    const close = () => {
      if (!this.#sessions.delete(session)) return;
      if (isOpen && !this.#isClosed) this.#lost += 1;
      client.end().catch(() => undefined);
    };
    const session = new Session(client, this.#options, close);
    this.#sessions.set(session, close);
    client.on('error', close).on('end', close);
    Promise.all([client.connect(), prepareSession(client, settings)]).then(
      () => {
        isOpen = true;
      },
      (error) => {
        breaker.connectFailed(error);
        close();
      },
    );
    return session;
  }
}
