import type { CompiledQuery, QueryResult } from 'kysely';
import { Client } from 'pg';
import { pageStream } from './page-stream.ts';
import { type DriverOptions, prepareSession, Session } from './session.ts';

/** Statements in flight on every connection before another connection is opened. */
export const DEPTH_BEFORE_NEXT = 8;
/** A statement that runs for longer is not short: others should not wait behind it. */
const SHORT_MS = 50;

/** A connection that several callers use at a time. */
export class SharedSession extends Session<Client> {
  /** The process ID in PostgreSQL; undefined until the connection is open. */
  pid: number | undefined;
  /** The callers with statements in flight, and how many each has. */
  readonly #callers = new Map<string, number>();
  #ended = 0;
  /** Whether the connection was ever open. */
  wasOpened = false;
  /** When the statement that runs now was begun, in milliseconds. */
  #runsSinceMs = 0;

  get isBlocked(): boolean {
    const isRunning = this.pid !== undefined && this.pending > 0;
    return isRunning && performance.now() - this.#runsSinceMs > SHORT_MS;
  }

  /** The place of the next statement, in the order in which they run. */
  get place(): number {
    return this.#ended + this.pending;
  }

  /** Whether the statement at that place runs, and is not short. */
  isSlowAt(place: number): boolean {
    return this.#ended === place && this.isBlocked;
  }

  setOpen(pid: number | undefined): void {
    this.pid = pid;
    this.#runsSinceMs = performance.now();
  }

  isUsedBy(caller: string): boolean {
    return this.#callers.has(caller);
  }

  protected override get isConnected(): boolean {
    return this.wasOpened;
  }

  protected override begin(): void {
    if (this.pending === 0) this.#runsSinceMs = performance.now();
    super.begin();
    this.#sendLater();
  }

  protected override end(): void {
    this.#runsSinceMs = performance.now();
    this.#ended += 1;
    super.end();
  }

  /** Accepts no further statements, and closes it when those in flight have ended. */
  close(): void {
    this.onLost?.();
  }

  async executeFor<Row>(caller: string | undefined, query: CompiledQuery): Promise<QueryResult<Row>> {
    if (caller === undefined) return this.executeQuery<Row>(query);
    this.#count(caller, 1);
    try {
      return await this.executeQuery<Row>(query);
    } finally {
      this.#count(caller, -1);
    }
  }

  /** Sends all statements of one iteration of the event loop at once: a write costs as much as all else of a small statement. */
  #sendLater(): void {
    const { stream } = this.client.connection;
    if (stream.writableCorked > 0) return;
    stream.cork();
    setImmediate(() => stream.uncork());
  }

  #count(caller: string, by: 1 | -1): void {
    const count = (this.#callers.get(caller) ?? 0) + by;
    if (count === 0) this.#callers.delete(caller);
    else this.#callers.set(caller, count);
  }
}

/**
 * A few connections for short statements of one kind, which send without waiting for the results of those before (`pipeline` of
 * node-postgres).
 */
export class Pipeline {
  readonly #options: DriverOptions;
  /** The connections that are open or being opened. */
  readonly #sessions = new Set<SharedSession>();
  #lost = 0;
  #isClosed = false;
  readonly #hasPages: boolean;

  /** @param own.settings of PostgreSQL, beside those of all connections */
  constructor(
    options: DriverOptions,
    own: { settings?: DriverOptions['settings']; hasPages?: boolean } = {},
  ) {
    this.#options = { ...options, settings: { ...options.settings, ...own.settings } };
    // With TLS, node-postgres replaces the stream.
    this.#hasPages = own.hasPages === true && !new Client(options.config).ssl;
    options.breaker.on('unresponsive', () => {
      for (const session of this.#sessions) session.close();
    });
  }

  /**
   * Finds the connection with the fewest statements in flight. One caller gets at most half of the connections.
   * @returns undefined if there is none: on each a slow statement runs, the circuit is open, or all are closed
   */
  findSession(caller: string | undefined): SharedSession | undefined {
    if (this.#isClosed) return undefined;
    const { breaker, pipelined } = this.#options;
    const own = caller === undefined ? [] : [...this.#sessions].filter((session) => session.isUsedBy(caller));
    const hasHalf = own.length > 0 && own.length >= pipelined / 2;
    let best: SharedSession | undefined;
    for (const session of hasHalf ? own : this.#sessions)
      if (!session.isBlocked && (best === undefined || session.pending < best.pending)) best = session;
    const isNextDue = best === undefined || best.pending >= DEPTH_BEFORE_NEXT;
    if (isNextDue && !hasHalf && this.#sessions.size < pipelined && !breaker.isOpen) {
      const opened = this.#open();
      best ??= opened;
    }
    return best;
  }

  counts() {
    return {
      /** Connections that are open or being opened. */
      open: this.#sessions.size,
      /** Statements in flight. */
      pending: [...this.#sessions].reduce((sum, { pending }) => sum + pending, 0),
      /** Connections that broke after they were open, since the start. */
      lost: this.#lost,
    };
  }

  /** Accepts no further statements, waits for those in flight, and closes the connections. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#sessions].map(({ client }) => client.end()));
  }

  /** Opens a connection. What it is given meanwhile is sent when it is open, after the settings of the session. */
  #open(): SharedSession {
    const { config, settings, breaker } = this.#options;
    const pages = this.#hasPages ? pageStream() : undefined;
    const client = new Client({ ...config, ...(pages && { stream: () => pages.socket }), pipeline: true });
    const close = () => {
      if (!this.#sessions.delete(session)) return;
      if (session.pid !== undefined && !this.#isClosed) this.#lost += 1;
      client.end().catch(() => undefined);
    };
    const session = new SharedSession(client, this.#options, { onLost: close, takeLong: pages?.takeLong });
    this.#sessions.add(session);
    client.on('error', close).on('end', close);
    client.once('connect', () => {
      session.wasOpened = true;
    });
    Promise.all([client.connect(), prepareSession(client, settings)]).then(
      ([, pid]) => session.setOpen(pid),
      (error) => {
        breaker.connectFailed(error);
        close();
      },
    );
    return session;
  }
}
