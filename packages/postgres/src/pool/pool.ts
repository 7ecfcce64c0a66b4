import { type Client, type ClientConfig, Pool, type PoolClient } from 'pg';
import type { CircuitBreaker, ConnectionOwner } from '../circuit-breaker.ts';
import { ConnectionLostError, OverloadedError, toConnectionError } from '../errors.ts';
import type { ConnectionFactory } from '../hosts/connection-factory.ts';
import { Session, WARM_UP } from '../protocol/session.ts';
import { Ticker, toTicks } from '../ticker.ts';
import type { OnStatement } from '../types.ts';
import { DedicatedConnection } from './connection.ts';

export interface DedicatedPoolOptions {
  factory: ConnectionFactory;
  breaker: CircuitBreaker;
  /** Connections at most. */
  max: number;
  /** Callers waiting for a connection at most. */
  waitingMax: number;
  /** The longest wait of a caller for a connection; 0 for no limit. */
  waitMs: number;
  /** The time for which an idle connection stays open; 0 for no limit. */
  idleTimeoutMs: number;
  preparedStatementsMax: number;
  silenceMs: number;
  onIdleError: (error: Error) => void;
  onStatement: OnStatement | undefined;
}

interface AcquireOptions {
  /** Leaves the queue when it is aborted. */
  signal?: AbortSignal | undefined;
  /** Whether statements on the connection are reported to `onStatement`; true by default. */
  isReported?: boolean;
}

/** A caller that waits for a connection. */
interface Waiter {
  /** Whether all connections are in use; if not, one is being opened or handed over. */
  isQueued: boolean;
  ticksWaited: number;
  resolve: (client: PoolClient) => void;
  reject: (why: Error) => void;
}

export interface DedicatedCounts {
  /** Open and not in use. */
  dedicatedIdle: number;
  /** In use, or being opened. */
  dedicatedBusy: number;
  /** Callers that wait for a connection, or for group commit. */
  dedicatedWaiting: number;
  /** Connections that broke after they were open, since the start. */
  dedicatedLost: number;
}

/**
 * A pool of connections that serve one caller at a time: for transactions, and for statements that may write. It is the
 * pool of node-postgres with a bounded queue, and with rejection while the circuit is open.
 */
export class DedicatedPool implements ConnectionOwner {
  readonly #options: DedicatedPoolOptions;
  readonly #pool: Pool;
  /** Every connection, from its first attempt to open. */
  readonly #clients = new Set<Client>();
  /** Of those that are open. */
  readonly #sessions = new WeakMap<Client, Session>();
  readonly #inUse = new Set<Session>();
  readonly #waiting = new Set<Waiter>();
  #queue: Waiter[] = [];
  /** Callers that node-postgres knows of: never more than its connections, so that it queues none of them itself. */
  #admitted = 0;
  readonly #ticker = new Ticker(() => this.#onTick());
  #lost = 0;
  #onDrained: (() => void) | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: DedicatedPoolOptions) {
    this.#options = options;
    const { factory, max, waitMs, idleTimeoutMs, preparedStatementsMax, onIdleError, breaker } = options;
    this.#pool = new Pool({
      ...factory.config,
      max,
      connectionTimeoutMillis: waitMs,
      idleTimeoutMillis: idleTimeoutMs,
      Client: registeredIn(this.#clients, factory.Client),
      verify: (client, done) => client.query(WARM_UP, done),
    });
    // Without a listener, the error of an idle connection would end the process.
    this.#pool.on('error', (error) => onIdleError(toConnectionError(error, false)));
    this.#pool.on('connect', (client) => {
      client.once('error', () => {
        this.#lost += 1;
      });
      // The pool does not listen while a connection is in use. Its statement fails, so the error is not lost.
      client.on('error', () => undefined);
      this.#sessions.set(client, new Session(client, preparedStatementsMax, breaker));
      breaker.messageReceived();
    });
    breaker.register(this);
  }

  get isWaiting(): boolean {
    for (const { isQueued } of this.#waiting) if (!isQueued) return true;
    for (const { inFlight } of this.#inUse) if (inFlight > 0) return true;
    return false;
  }

  /**
   * Waits for a connection.
   * @throws OverloadedError at once if the queue is full, or after `waitMs`; ConnectionLostError if none could be opened, at
   *   once while the circuit is open; the reason of the signal
   */
  async acquire({ signal, isReported = true }: AcquireOptions = {}): Promise<DedicatedConnection> {
    signal?.throwIfAborted();
    if (this.#closed !== undefined) throw new Error('driver has already been destroyed');
    const client = await this.#wait(signal);
    const session = this.#sessions.get(client);
    if (session === undefined) throw new Error('The pool returned a connection that it did not open.');
    this.#inUse.add(session);
    this.#startTimers();
    const onStatement = isReported ? this.#options.onStatement : undefined;
    const onRelease = () => {
      this.#inUse.delete(session);
      this.#admitNext();
    };
    return new DedicatedConnection({ client, session, onStatement, onRelease });
  }

  counts(): DedicatedCounts {
    const { idleCount, totalCount } = this.#pool;
    return {
      dedicatedIdle: idleCount,
      dedicatedBusy: totalCount - idleCount,
      dedicatedWaiting: this.#queue.length,
      dedicatedLost: this.#lost,
    };
  }

  /** Accepts no further callers, waits for those that wait or hold a connection, and closes the connections. */
  close(): Promise<void> {
    this.#closed ??= this.#drain();
    return this.#closed;
  }

  onOpen(): void {
    const { breaker } = this.#options;
    for (const waiter of this.#waiting) this.#reject(waiter, breaker.error());
    this.#destroyClients(breaker.error(), (client) => !this.#sessions.has(client));
  }

  onUnresponsive(message: string, isDead: (client: Client) => boolean): void {
    this.#destroyClients(new ConnectionLostError(message), isDead);
  }

  #destroyClients(why: Error, isDead: (client: Client) => boolean): void {
    for (const client of this.#clients) if (isDead(client)) client.connection.stream.destroy(why);
  }

  /** A waiter that is aborted or rejected leaves at once. If its connection is opened after all, the pool keeps it. */
  #wait(signal: AbortSignal | undefined): Promise<PoolClient> {
    const { max, waitingMax } = this.#options;
    const isQueued = this.#admitted >= max;
    if (isQueued && this.#queue.length >= waitingMax) {
      throw new OverloadedError(`${this.#queue.length} callers are already waiting for a connection.`);
    }
    const { promise, resolve, reject } = Promise.withResolvers<PoolClient>();
    const onAbort = signal && (() => this.#reject(waiter, signal.reason));
    if (onAbort) signal.addEventListener('abort', onAbort, { once: true });
    const removeListener = () => onAbort && signal.removeEventListener('abort', onAbort);
    const waiter: Waiter = {
      isQueued,
      ticksWaited: 0,
      resolve: (client) => {
        removeListener();
        resolve(client);
      },
      reject: (why) => {
        removeListener();
        reject(why);
      },
    };
    this.#waiting.add(waiter);
    this.#startTimers();
    if (isQueued) this.#queue.push(waiter);
    else this.#admit(waiter);
    return promise;
  }

  #startTimers(): void {
    this.#ticker.start();
    this.#options.breaker.requestSent();
  }

  #reject(waiter: Waiter, why: Error): void {
    if (this.#waiting.delete(waiter)) waiter.reject(why);
  }

  /** Takes a connection for a waiter, or rejects it if one had to be opened while the circuit is open. */
  #admit(waiter: Waiter): void {
    const { breaker } = this.#options;
    waiter.isQueued = false;
    this.#admitted += 1;
    if (breaker.isOpen && this.#pool.idleCount === 0) {
      this.#reject(waiter, breaker.error());
      this.#admitNext();
      return;
    }
    this.#pool.connect().then(
      (client) => {
        if (this.#waiting.delete(waiter)) {
          waiter.resolve(client);
          return;
        }
        client.release();
        this.#admitNext();
      },
      (cause: Error) => {
        const why = breaker.connectFailed(cause);
        this.#reject(waiter, why);
        this.#admitNext();
      },
    );
  }

  /** To be called when a caller has left: admits the next one in the queue. */
  #admitNext(): void {
    this.#admitted -= 1;
    let next = this.#queue.shift();
    while (next !== undefined && !this.#waiting.has(next)) next = this.#queue.shift();
    if (next !== undefined) this.#admit(next);
    else if (this.#admitted === 0) this.#onDrained?.();
  }

  #onTick(): boolean {
    const { silenceMs, waitMs } = this.#options;
    const silentTicksMax = toTicks(silenceMs);
    const waitTicksMax = toTicks(waitMs);
    for (const session of this.#inUse) session.tick(silentTicksMax);
    for (const waiter of this.#queue) {
      waiter.ticksWaited += 1;
      if (waiter.ticksWaited <= waitTicksMax) continue;
      this.#reject(waiter, new OverloadedError('No connection to the database became free in time.'));
    }
    this.#queue = this.#queue.filter((waiter) => this.#waiting.has(waiter));
    return this.#inUse.size > 0 || this.#waiting.size > 0;
  }

  async #drain(): Promise<void> {
    if (this.#admitted > 0) {
      await new Promise<void>((resolve) => {
        this.#onDrained = resolve;
      });
    }
    await this.#pool.end();
    this.#ticker.stop();
  }
}

/** A class of connections that add themselves to a set when they are created: the pool reveals them only when they are open. */
function registeredIn(clients: Set<Client>, Base: typeof Client): typeof Client {
  return class extends Base {
    constructor(config?: string | ClientConfig) {
      super(config);
      clients.add(this);
      this.once('end', () => clients.delete(this));
    }
  };
}
